// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import MIDIPorts
internal import Synchronization

extension InputPortObject {
  /// Disconnects the source in the kernel's sequencer.
  func disconnectInKernel(_ endpoint: EndpointObject) {
    guard let there = endpoint.alsa.withLock({ $0?.address }), let feed = input else { return }
    do {
      try feed.port.client.disconnect(
        EndpointConnection(source: there, destination: feed.port.address))
    } catch {
      // The source disappeared together with the connection.
      return
    }
  }

  /// Reads packets from a port of the sequencer.
  ///
  /// If another program has made the connection, the source is unknown and its pointer is nil.
  func take(_ packets: [TimedBytes], from sender: EndpointAddress) {
    let source = sources.first { $0.alsa.withLock { $0?.address } == sender }
    let connection = source.flatMap { self.connection(to: $0) }
    unsafe reader.read(packets, from: connection?.data)
  }
}

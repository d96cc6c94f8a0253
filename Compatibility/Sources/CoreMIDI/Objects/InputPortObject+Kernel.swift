// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import MIDIPorts
internal import Synchronization

extension InputPortObject {
  /// Ends a connection in the kernel's sequencer.
  func disconnectInKernel(_ endpoint: EndpointObject) {
    guard let there = endpoint.alsa.withLock({ $0?.address }), let feed = input else { return }
    do {
      try feed.port.client.disconnect(
        EndpointConnection(source: there, destination: feed.port.address))
    } catch {
      // The source went away, and the connection with it.
      return
    }
  }

  /// Reads what came from one of the sequencer's ports; where none of the connected sources has its
  /// address, somebody else has connected it, and its sender is told of as nil.
  func take(_ packets: [TimedBytes], from sender: EndpointAddress) {
    let source = sources.first { $0.alsa.withLock { $0?.address } == sender }
    let connection = source.flatMap { self.connection(to: $0) }
    unsafe reader.read(packets, from: connection?.data)
  }
}

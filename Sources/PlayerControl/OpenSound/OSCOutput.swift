// SPDX-License-Identifier: Apache-2.0
package import ClockService
package import MusicalTime
package import NetworkSockets
internal import OpenSoundControl

/// Sends beats and changes of a clock by Open Sound Control; it never blocks.
///
/// - Note: One thread.
package final class OSCOutput {
  /// A destination and its socket.
  private final class Way {
    let address: SocketAddress
    let socket: UDPSocket
    var hasFailed = false

    init(_ address: SocketAddress) throws(NetworkError) {
      self.address = address
      let any: IPAddress = address.address.isV6 ? .anyV6 : .anyV4
      socket = try UDPSocket(bind: SocketAddress(any, port: 0))
    }
  }

  private let ways: [Way]
  private let warn: (String) -> Void
  private var teller = OSCTeller()

  /// Opens sockets for the destinations.
  ///
  /// - Parameters:
  ///   - texts: The destinations, each as `HOST:PORT`.
  ///   - warn: Receives warnings for the user.
  /// - Throws: `NetworkError` if a destination cannot be resolved.
  package init(to texts: [String], warn: @escaping (String) -> Void) throws(NetworkError) {
    self.warn = warn
    ways = try texts.map { text throws(NetworkError) in
      let addresses = try HostName.resolve(text)
      // IPv4 is preferred, because most receivers use it, also on this machine.
      return try Way(addresses.first { !$0.address.isV6 } ?? addresses[0])
    }
  }

  /// Sends beats and changes since the last call.
  package func update(_ events: [ClockEvent], _ clock: ClockSnapshot, _ context: TimeContext) {
    do {
      let packets = try teller.packets(
        events, clock, context, OSCClock.current, at: MonotonicClock.now)
      for packet in packets { send(packet) }
    } catch {
      // A position that does not fit any format is not sent.
    }
  }

  /// Sends the title and path of the song that is played from now on.
  package func tell(song title: String, path: String) {
    let texts = [title, path].map { OSCValue.string($0.filter { $0 != "\0" }) }
    send(.message(OSCMessage("/song", texts)))
  }

  private func send(_ packet: OSCPacket) {
    let bytes: [UInt8]
    do { bytes = try packet.bytes() } catch { return }
    for way in ways {
      do {
        try way.socket.send(bytes.span, to: way.address)
        way.hasFailed = false
      } catch {
        // Warned once, not for every beat; the destination may return.
        if !way.hasFailed { warn("\(error)") }
        way.hasFailed = true
      }
    }
  }
}

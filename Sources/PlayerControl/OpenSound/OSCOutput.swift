// SPDX-License-Identifier: Apache-2.0
package import ClockService
package import MusicalTime
package import NetworkSockets
internal import OpenSoundControl

/// Tells others of a clock by Open Sound Control; it never waits.
///
/// - Note: one thread.
package final class OSCOutput {
  /// One that is told, and what sends to it.
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

  /// Gets ready to send.
  ///
  /// - Parameters:
  ///   - texts: where to, `HOST:PORT` each.
  ///   - warn: takes a warning for a person.
  /// - Throws: `NetworkError` where one leads nowhere.
  package init(to texts: [String], warn: @escaping (String) -> Void) throws(NetworkError) {
    self.warn = warn
    ways = try texts.map { text throws(NetworkError) in
      let addresses = try HostName.resolve(text)
      // As most who listen do, at this machine too.
      return try Way(addresses.first { !$0.address.isV6 } ?? addresses[0])
    }
  }

  /// Tells what is new of a clock.
  package func update(_ events: [ClockEvent], _ clock: ClockSnapshot, _ context: TimeContext) {
    do {
      let packets = try teller.packets(
        events, clock, context, OSCClock.current, at: MonotonicClock.now)
      for packet in packets { send(packet) }
    } catch {
      // A place that no format holds: it is not told.
    }
  }

  /// Tells what is played from now on.
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
        // Once, and not for every beat; it may come back.
        if !way.hasFailed { warn("\(error)") }
        way.hasFailed = true
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import ClockService
internal import Glibc
internal import MusicalTime
package import NetworkSockets
package import OpenSoundControl
internal import Realtime

/// A receiver of commands by Open Sound Control 1.0 over UDP.
///
/// It never waits. `Documentation/OSC.md` has the addresses of messages. Every program that can reach the port can control the player.
///
/// - Note: One thread, the one that performs commands.
public final class OSCReceiver {
  /// The maximum number of datagrams read in one update.
  private static let mostAtOnce = 64
  /// How often it may be woken in 20 ms: as fast as messages may come.
  private static let mostWakes = 16

  /// A socket of one version of the protocol.
  private final class Way {
    var socket: UDPSocket

    init(_ address: SocketAddress) throws(NetworkError) {
      socket = try UDPSocket(bind: address)
      try socket.setReceiveRoom(1 << 18)
    }
  }

  private let warn: (String) -> Void
  private var ways: [Way] = []
  private var inbox = OSCInbox()
  private var wakes = WakeLimit(most: OSCReceiver.mostWakes)
  private var buffer = [UInt8](repeating: 0, count: OSCInbox.longest + 1)

  /// Listens on a port.
  ///
  /// - Parameters:
  ///   - port: the port, 1…65535.
  ///   - host: the address or name of an interface; nil for this machine alone, `0.0.0.0` or `::` for
  ///     every interface.
  ///   - warn: receives a line for each kind of dropped message, at most once a second.
  /// - Throws: `ControlError.Kind.noDevice` if the port is in use or the host is not an address of
  ///   this machine.
  public convenience init(
    port: UInt16, host: String? = nil, warn: @escaping (String) -> Void = { _ in }
  ) throws(ControlError) {
    do {
      try self.init(ListenAddress(host: host, port: port), warn: warn)
    } catch {
      throw ControlError(.noDevice, error.description)
    }
  }

  /// Listens at an address.
  ///
  /// - Throws: `NetworkError` if the port is in use or the host is not an address of this machine.
  /// - Parameters:
  ///   - place: the host and port.
  ///   - warn: takes a warning for a person.
  package init(_ place: ListenAddress, warn: @escaping (String) -> Void) throws(NetworkError) {
    self.warn = warn
    try place.open { address throws(NetworkError) in ways.append(try Way(address)) }
  }

  /// The descriptors that are readable when a datagram was received; empty for up to 20 ms if too
  /// many arrive.
  public var descriptors: [Int32] { wakes.isOpen ? ways.map { $0.socket.descriptor } : [] }

  /// The time of the next command that is due later, in nanoseconds of `CLOCK_MONOTONIC`; nil for
  /// none.
  public var deadline: Int64? { inbox.nextTime?.nanoseconds }

  /// Performs the commands that were received and are due.
  ///
  /// - Parameter target: the player.
  /// - Returns: true if a command was performed.
  public func update(_ target: some ControlTarget) -> Bool {
    let clock = OSCClock.current
    wakes.look(at: DeadlineWait.now)
    for way in ways { receive(from: way, clock) }
    let isDone = inbox.perform(target, at: MonotonicClock.now)
    for (packet, address) in inbox.takeOutput() { send(packet, to: address) }
    for report in inbox.takeReports() { warn(report) }
    return isDone
  }

  private func receive(from way: Way, _ clock: OSCClock) {
    do {
      for _ in 0..<Self.mostAtOnce {
        guard let datagram = try way.socket.receive(into: &buffer) else { return }
        inbox.take(
          Array(buffer[..<datagram.count]), from: datagram.sender, clock,
          at: HostTime(nanoseconds: datagram.time))
      }
    } catch {
      // Its interface is gone: those who are on others are served on.
    }
  }

  private func send(_ packet: OSCPacket, to address: SocketAddress) {
    do {
      let bytes = try packet.bytes()
      let way = ways.first { $0.socket.isV6 == address.address.isV6 }
      try way?.socket.send(bytes.span, to: address)
    } catch {
      // Whoever asked is gone, or the answer does not fit a datagram.
    }
  }
}

extension OSCClock {
  /// How time tags lie on the host's clock at the moment.
  package static var current: OSCClock {
    // Between two looks at one, so that what passes between does not count.
    let before = DeadlineWait.now
    var wall = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &wall)
    let after = DeadlineWait.now
    return OSCClock(
      wall: Int64(wall.tv_sec) * 1_000_000_000 + Int64(wall.tv_nsec),
      host: HostTime(nanoseconds: before + (after - before) / 2))
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import ClockService
internal import Glibc
internal import MusicalTime
package import NetworkSockets
package import OpenSoundControl
internal import Realtime

/// Receives commands for a player by Open Sound Control 1.0 over UDP.
///
/// The receiver never blocks. `Documentation/OSC.md` lists the messages. Every program that can
/// reach the port can control the player.
///
/// - Note: Use it on the thread that performs commands.
public final class OSCReceiver {
  /// The maximum number of datagrams read in one update.
  private static let mostAtOnce = 64
  /// The maximum number of wake-ups in 20 ms, enough for the maximum rate of messages.
  private static let mostWakes = 16

  /// A socket for IPv4 or IPv6.
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

  /// Opens a UDP port for commands.
  ///
  /// - Parameters:
  ///   - port: The port, 1…65535.
  ///   - host: The address or name of an interface; nil, the default, for this machine only,
  ///     `0.0.0.0` or `::` for every interface.
  ///   - warn: Called with a line of text when messages are dropped, at most once per second for
  ///     each kind.
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
  /// - Parameters:
  ///   - place: The host and port.
  ///   - warn: Receives warnings for the user.
  /// - Throws: `NetworkError` if the port is in use or the host is not an address of this machine.
  package init(_ place: ListenAddress, warn: @escaping (String) -> Void) throws(NetworkError) {
    self.warn = warn
    try place.open { address throws(NetworkError) in ways.append(try Way(address)) }
  }

  /// The file descriptors to wait for: they become readable when a datagram has arrived.
  ///
  /// If too many datagrams arrive, the array is empty for up to 20 ms.
  public var descriptors: [Int32] { wakes.isOpen ? ways.map { $0.socket.descriptor } : [] }

  /// The time at which the next scheduled command is due, in nanoseconds of `CLOCK_MONOTONIC`; nil
  /// if no command is scheduled.
  public var deadline: Int64? { inbox.nextTime?.nanoseconds }

  /// Performs the received commands that are due.
  ///
  /// - Parameter target: The player.
  /// - Returns: True if a command was performed.
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
      // The interface is gone; senders on other interfaces are still served.
    }
  }

  private func send(_ packet: OSCPacket, to address: SocketAddress) {
    do {
      let bytes = try packet.bytes()
      let way = ways.first { $0.socket.isV6 == address.address.isV6 }
      try way?.socket.send(bytes.span, to: address)
    } catch {
      // The sender is gone, or the answer does not fit a datagram.
    }
  }
}

extension OSCClock {
  /// The current relation of time tags to the host clock.
  package static var current: OSCClock {
    // The monotonic clock is read before and after, and the mean is used.
    let before = DeadlineWait.now
    var wall = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &wall)
    let after = DeadlineWait.now
    return OSCClock(
      wall: Int64(wall.tv_sec) * 1_000_000_000 + Int64(wall.tv_nsec),
      host: HostTime(nanoseconds: before + (after - before) / 2))
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import NetworkSockets
internal import RTPMIDI

/// The two ports of a session, for IPv4 and, if available, IPv6.
///
/// - Note: Owned by the sessions' thread.
final class SessionSockets {
  /// The ports that are tried for sessions that must be found.
  static let usualPorts: ClosedRange<UInt16> = 5_004...5_022

  /// The control port; the data port is the next one.
  let port: UInt16
  private var control: UDPSocket
  private var music: UDPSocket
  private var control6: UDPSocket?
  private var music6: UDPSocket?

  /// Opens a pair of ports.
  ///
  /// - Throws: `NetworkError.cannotBind` if a port is in use.
  init(port: UInt16) throws(NetworkError) {
    self.port = port
    control = try Self.open(.anyV4, port)
    music = try Self.open(.anyV4, port + 1)
    // IPv6 is optional.
    control6 = Self.attempt(port)
    music6 = Self.attempt(port + 1)
  }

  /// Opens the first free pair of the usual ports, otherwise any pair.
  static func usual() throws(NetworkError) -> SessionSockets {
    for port in stride(from: usualPorts.lowerBound, through: usualPorts.upperBound, by: 2) {
      do throws(NetworkError) {
        return try SessionSockets(port: port)
      } catch {
        continue
      }
    }
    return try any()
  }

  /// Opens a pair that the system chooses.
  static func any() throws(NetworkError) -> SessionSockets {
    var refusal = NetworkError.cannotOpen(code: 0)
    for _ in 0..<32 {
      let port = try UDPSocket(bind: SocketAddress(.anyV4, port: 0)).localAddress().port
      guard port < .max else { continue }
      do throws(NetworkError) {
        return try SessionSockets(port: port)
      } catch {
        // The next port is in use.
        refusal = error
      }
    }
    throw refusal
  }

  private static func open(_ address: IPAddress, _ port: UInt16) throws(NetworkError) -> UDPSocket {
    let socket = try UDPSocket(bind: SocketAddress(address, port: port))
    try socket.setReceiveRoom(1 << 20)
    return socket
  }

  private static func attempt(_ port: UInt16) -> UDPSocket? {
    do throws(NetworkError) {
      return try open(.anyV6, port)
    } catch {
      return nil
    }
  }

  /// The file descriptors that become readable when a datagram arrives.
  var descriptors: [Int32] {
    var list = [control.descriptor, music.descriptor]
    if let descriptor = control6?.descriptor { list.append(descriptor) }
    if let descriptor = music6?.descriptor { list.append(descriptor) }
    return list
  }

  /// Calls `body` with each received datagram, at most 200 for each socket.
  func drain(
    into buffer: inout [UInt8],
    _ body: (_ octets: [UInt8], _ sender: SessionAddress, SessionSide, _ time: Int64) -> Void
  ) {
    for (index, side) in [SessionSide.control, .music, .control, .music].enumerated() {
      var room = 200
      while room > 0, let datagram = receive(index, &buffer) {
        room -= 1
        guard !datagram.isCut else { continue }
        body(
          Array(buffer[..<datagram.count]), SessionAddress(datagram.sender), side, datagram.time)
      }
    }
  }

  private func receive(_ index: Int, _ buffer: inout [UInt8]) -> ReceivedDatagram? {
    do throws(NetworkError) {
      return switch index {
      case 0: try control.receive(into: &buffer)
      case 1: try music.receive(into: &buffer)
      case 2: try control6?.receive(into: &buffer)
      default: try music6?.receive(into: &buffer)
      }
    } catch {
      // Without an interface: a peer that is silent for a minute is removed.
      return nil
    }
  }

  /// Sends a datagram.
  ///
  /// If it cannot be routed it is lost, like any datagram.
  func send(_ send: SessionSend) {
    let address = send.address.socketAddress
    do throws(NetworkError) {
      switch (send.side, address.address.isV6) {
      case (.control, false): try control.send(send.octets.span, to: address)
      case (.music, false): try music.send(send.octets.span, to: address)
      case (.control, true): try control6?.send(send.octets.span, to: address)
      case (.music, true): try music6?.send(send.octets.span, to: address)
      }
    } catch {
      return
    }
  }
}

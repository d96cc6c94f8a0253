// SPDX-License-Identifier: Apache-2.0
internal import NetworkSockets
internal import RTPMIDI

/// The two ports of a session, of version 4 and of version 6 where there is one.
///
/// - Note: owned by the sessions' thread once it is there.
final class SessionSockets {
  /// The port that is tried first by whoever is to be found, and the last that is.
  static let usualPorts: ClosedRange<UInt16> = 5_004...5_022

  /// The port of control; that of music is the next.
  let port: UInt16
  private var control: UDPSocket
  private var music: UDPSocket
  private var control6: UDPSocket?
  private var music6: UDPSocket?

  /// Opens a pair of ports.
  ///
  /// - Throws: `NetworkError.cannotBind` where one is taken.
  init(port: UInt16) throws(NetworkError) {
    self.port = port
    control = try Self.open(.anyV4, port)
    music = try Self.open(.anyV4, port + 1)
    // A machine without version 6 does without.
    control6 = Self.attempt(port)
    music6 = Self.attempt(port + 1)
  }

  /// Opens the first pair of the usual ports that is free, or else any.
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
        // The port above it is somebody's.
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

  /// What becomes readable when a datagram is there.
  var descriptors: [Int32] {
    var list = [control.descriptor, music.descriptor]
    if let descriptor = control6?.descriptor { list.append(descriptor) }
    if let descriptor = music6?.descriptor { list.append(descriptor) }
    return list
  }

  /// Gives each datagram that is there to `body`, no more than 200 a socket.
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
      // No interface at present: what is silent for a minute is gone.
      return nil
    }
  }

  /// Sends a datagram; one that no way leads for is lost, as any may be.
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

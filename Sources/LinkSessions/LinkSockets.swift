// SPDX-License-Identifier: Apache-2.0
internal import LinkProtocol
internal import MusicalTime
internal import NetworkSockets

/// The three sockets of one way to other peers.
///
/// - Note: owned by the session's thread.
final class LinkSockets {
  private static let port: UInt16 = 20_808

  let gateway: LinkGateway
  let address: IPAddress
  /// Where pings are answered.
  let endpoint: LinkEndpoint
  private let group: SocketAddress
  // Hears what is sent to all; sends everything of discovery; measures.
  private var receiver: UDPSocket
  private var sender: UDPSocket
  private var measurement: UDPSocket

  /// Opens the sockets of an interface's address.
  ///
  /// - Throws: `NetworkError` where the interface has gone again, or takes part in no groups.
  init(_ gateway: LinkGateway, at address: IPAddress) throws(NetworkError) {
    (self.gateway, self.address) = (gateway, address)
    let all: IPAddress =
      gateway.isV6
      ? .v6(0xff12 << 112 | 0x8080, scope: gateway.interface) : .v4(0xe04c_4e4b)
    group = SocketAddress(all, port: Self.port)
    receiver = try UDPSocket(
      bind: SocketAddress(gateway.isV6 ? .anyV6 : .anyV4, port: Self.port), isShared: true)
    try receiver.join(all, on: gateway.interface)
    sender = try UDPSocket(bind: SocketAddress(address, port: 0))
    // Peers of one machine meet by its loopback interface alone.
    try sender.sendGroups(by: gateway.interface, reachesOwnMachine: address.isLoopback)
    measurement = try UDPSocket(bind: SocketAddress(address, port: 0))
    endpoint = LinkEndpoint(try measurement.localAddress())
  }

  /// What becomes readable when a datagram is there.
  var descriptors: [Int32] {
    [receiver.descriptor, sender.descriptor, measurement.descriptor]
  }

  /// Gives each datagram that is there to `body`, no more than a hundred a socket.
  func drain(into buffer: inout [UInt8], _ body: (Span<UInt8>, LinkEndpoint) -> Void) {
    for socket in 0..<3 {
      var room = 100
      while room > 0, take(from: socket, into: &buffer, body) { room -= 1 }
    }
  }

  /// Gives one datagram to `body`; whether there was any.
  ///
  /// No socket is held while the body runs, since that sends.
  private func take(
    from socket: Int, into buffer: inout [UInt8], _ body: (Span<UInt8>, LinkEndpoint) -> Void
  ) -> Bool {
    do throws(NetworkError) {
      let datagram: ReceivedDatagram?
      switch socket {
      case 0: datagram = try receiver.receive(into: &buffer)
      case 1: datagram = try sender.receive(into: &buffer)
      default: datagram = try measurement.receive(into: &buffer)
      }
      guard let datagram else { return false }
      guard !datagram.isCut else { return true }
      body(buffer.span.extracting(0..<datagram.count), LinkEndpoint(datagram.sender))
      return true
    } catch {
      // The interface is gone: the next look at the interfaces closes the way.
      return false
    }
  }

  /// Sends a datagram; one that no way leads for is lost, as any may be.
  func send(_ send: LinkSend) {
    do throws(NetworkError) {
      switch send.destination {
      case .group: try sender.send(send.bytes.span, to: group)
      case .peer(let peer): try sender.send(send.bytes.span, to: address(of: peer))
      case .measurement(let peer): try measurement.send(send.bytes.span, to: address(of: peer))
      }
    } catch {
      return
    }
  }

  private func address(of peer: LinkEndpoint) -> SocketAddress {
    switch peer.address {
    case .v4(let bits): SocketAddress(.v4(bits), port: peer.port)
    case .v6(let bits):
      SocketAddress(IPAddress.v6(bits, scope: 0).scoped(to: gateway.interface), port: peer.port)
    }
  }
}

extension LinkEndpoint {
  init(_ address: SocketAddress) {
    switch address.address {
    case .v4(let bits): self.init(.v4(bits), port: address.port)
    case .v6(let bits, _): self.init(.v6(bits), port: address.port)
    }
  }
}

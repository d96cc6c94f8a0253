// SPDX-License-Identifier: Apache-2.0
internal import LinkProtocol
internal import MusicalTime
internal import NetworkSockets

/// The three sockets of a gateway.
///
/// - Note: Owned by the session's thread.
final class LinkSockets {
  private static let port: UInt16 = 20_808

  let gateway: LinkGateway
  let address: IPAddress
  /// The address at which pings are answered.
  let endpoint: LinkEndpoint
  private let group: SocketAddress
  // Receives multicasts; sends discovery; measures.
  private var receiver: UDPSocket
  private var sender: UDPSocket
  private var measurement: UDPSocket

  /// Opens the sockets for an address of an interface.
  ///
  /// - Throws: `NetworkError` if the interface is gone, or does not support multicast.
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
    // Peers on one machine find each other only on its loopback interface.
    try sender.sendGroups(by: gateway.interface, reachesOwnMachine: address.isLoopback)
    measurement = try UDPSocket(bind: SocketAddress(address, port: 0))
    endpoint = LinkEndpoint(try measurement.localAddress())
  }

  /// The descriptors that become readable when a datagram arrives.
  var descriptors: [Int32] {
    [receiver.descriptor, sender.descriptor, measurement.descriptor]
  }

  /// Passes each received datagram to `body`, at most a hundred per socket.
  func drain(into buffer: inout [UInt8], _ body: (Span<UInt8>, LinkEndpoint) -> Void) {
    for socket in 0..<3 {
      var room = 100
      while room > 0, take(from: socket, into: &buffer, body) { room -= 1 }
    }
  }

  /// Passes a datagram to `body`; false if none has arrived.
  ///
  /// No socket is borrowed while `body` runs, because it sends.
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
      // The interface is gone: the next search closes the gateway.
      return false
    }
  }

  /// Sends a datagram, which is lost if the destination cannot be reached.
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

// SPDX-License-Identifier: Apache-2.0
import NetworkSockets
import Realtime
import TestSupport
import Testing

@Suite(.enabled(if: NetworkNamespace.isOwn, NetworkNamespace.reason)) struct TCPConnectionTests {
  @Test func `two ends read what the other writes`() async throws {
    let listener = try TCPListener(bind: SocketAddress(.loopbackV4, port: 0))
    #expect(try listener.accept() == nil)
    let client = try TCPConnection(connectingTo: listener.localAddress())
    #expect(wait(for: listener.descriptor))
    guard let server = try listener.accept() else {
      Issue.record("no connection is waiting")
      return
    }
    #expect(client.isWritable && client.failure == nil)
    try server.sendAtOnce()
    #expect(try server.peerAddress() == client.localAddress())
    var buffer = [UInt8](repeating: 0, count: 64)
    #expect(server.receive(into: &buffer) == .nothing)
    #expect(client.send([1, 2, 3].span) == 3)
    #expect(wait(for: server.descriptor))
    #expect(server.receive(into: &buffer) == .bytes(3))
    #expect(buffer[..<3] == [1, 2, 3])
    _ = consume client
    #expect(wait(for: server.descriptor))
    #expect(server.receive(into: &buffer) == .end)
  }

  @Test func `a full connection takes what it has room for`() throws {
    let listener = try TCPListener(bind: SocketAddress(.loopbackV4, port: 0))
    let client = try TCPConnection(connectingTo: listener.localAddress())
    #expect(wait(for: listener.descriptor))
    let server = try listener.accept()
    let bytes = [UInt8](repeating: 1, count: 1 << 20)
    var last: Int? = 1
    for _ in 0..<64 where last != 0 { last = client.send(bytes.span) }
    #expect(last == 0 && !client.isWritable)
    _ = consume server
    #expect(wait(for: client.descriptor))
    let sentNothing = client.send(bytes.span)
    #expect(sentNothing == nil)
  }

  @Test func `a port in use and a port without a listener give errors`() throws {
    let listener = try TCPListener(bind: SocketAddress(.loopbackV4, port: 0))
    let address = try listener.localAddress()
    #expect(throws: NetworkError.cannotBind(address, code: 98)) {
      _ = try TCPListener(bind: address)
    }
    _ = consume listener
    do {
      let client = try TCPConnection(connectingTo: address)
      #expect(wait(for: client.descriptor))
      #expect(client.failure == 111 && !client.isWritable)
    } catch {
      #expect(error == .cannotConnect(address, code: 111))
    }
  }

  private func wait(for descriptor: Int32) -> Bool {
    do {
      let reason = try DeadlineWait().wait(
        until: DeadlineWait.now + 5_000_000_000, readable: [descriptor])
      return reason == .descriptor(0)
    } catch {
      return false
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Glibc
import NetworkSockets
import Realtime
import TestSupport
import Testing

@Suite(.enabled(if: NetworkNamespace.isOwn, NetworkNamespace.reason)) struct UDPSocketTests {
  private static let here = SocketAddress(.loopbackV4, port: 0)

  @Test func `a datagram is received with its sender and time`() throws {
    var one = try UDPSocket(bind: Self.here)
    let two = try UDPSocket(bind: Self.here)
    var buffer = [UInt8](repeating: 0, count: 16)
    #expect(try one.receive(into: &buffer) == nil)
    let before = DeadlineWait.now
    let hasGone = try two.send([1, 2, 3].span, to: one.localAddress())
    #expect(hasGone)
    #expect(wait(for: one.descriptor))
    let datagram = try #require(try one.receive(into: &buffer))
    #expect(datagram.count == 3 && !datagram.isCut && buffer[..<3] == [1, 2, 3])
    #expect(try datagram.sender == two.localAddress())
    // A stamp of the wall clock counts to the microsecond on this one.
    #expect((before - 1_000_000...DeadlineWait.now).contains(datagram.time))
    #expect(try one.receive(into: &buffer) == nil)
  }

  @Test func `a datagram that does not fit is cut and marked`() throws {
    var one = try UDPSocket(bind: Self.here)
    var buffer = [UInt8](repeating: 0, count: 2)
    let hasGone = try one.send([1, 2, 3].span, to: one.localAddress())
    #expect(hasGone)
    #expect(wait(for: one.descriptor))
    let datagram = try #require(try one.receive(into: &buffer))
    #expect(datagram.count == 2 && datagram.isCut)
  }

  @Test func `an empty datagram is one`() throws {
    var one = try UDPSocket(bind: Self.here)
    var buffer = [UInt8](repeating: 0, count: 2)
    let nothing: [UInt8] = []
    let hasGone = try one.send(nothing.span, to: one.localAddress())
    #expect(hasGone)
    #expect(wait(for: one.descriptor))
    #expect(try one.receive(into: &buffer)?.count == 0)
  }

  @Test func `a port in use gives an error`() throws {
    let one = try UDPSocket(bind: Self.here)
    let address = try one.localAddress()
    let error = #expect(throws: NetworkError.self) { _ = try UDPSocket(bind: address) }
    #expect(error?.description == "\(address): in use by another program (choose another port)")
    let strange = try SocketAddress(parsing: "203.0.113.9:0")
    let other = #expect(throws: NetworkError.self) { _ = try UDPSocket(bind: strange) }
    #expect(other?.code == EADDRNOTAVAIL)
  }

  @Test func `a socket that is gone does not upset its sender`() throws {
    let one = try UDPSocket(bind: Self.here)
    let address = try one.localAddress()
    _ = consume one
    let two = try UDPSocket(bind: Self.here)
    for _ in 0..<5 {
      let hasGone = try two.send([1].span, to: address)
      #expect(hasGone)
    }
  }

  @Test func `datagrams without room are counted`() throws {
    var one = try UDPSocket(bind: Self.here)
    try one.setReceiveRoom(1)
    let bytes = [UInt8](repeating: 7, count: 1_000)
    for _ in 0..<100 { try one.send(bytes.span, to: one.localAddress()) }
    var buffer = [UInt8](repeating: 0, count: 1_000)
    while try one.receive(into: &buffer) != nil {}
    // The next datagram with room carries the number of dropped ones.
    try one.send([1].span, to: one.localAddress())
    #expect(wait(for: one.descriptor))
    _ = try one.receive(into: &buffer)
    #expect(one.droppedCount > 0)
  }

  @Test func `a version 6 socket has its own`() throws {
    guard try NetworkInterface.list().contains(where: { $0.addresses.contains(.loopbackV6) })
    else { try Test.cancel("no loopback of version 6") }
    var one = try UDPSocket(bind: SocketAddress(.loopbackV6, port: 0))
    var buffer = [UInt8](repeating: 0, count: 2)
    let hasGone = try one.send([5].span, to: one.localAddress())
    #expect(hasGone)
    #expect(wait(for: one.descriptor))
    #expect(try one.receive(into: &buffer)?.sender == one.localAddress())
  }

  @Test func `a group that is not there cannot be joined`() throws {
    let one = try UDPSocket(bind: SocketAddress(.anyV4, port: 0), isShared: true)
    let error = #expect(throws: NetworkError.self) {
      try one.join(.v4(0xe04c_4e4b), on: 4_000_000)
    }
    #expect(
      error?.description == "interface 4000000: cannot join 224.76.78.75: no such device")
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

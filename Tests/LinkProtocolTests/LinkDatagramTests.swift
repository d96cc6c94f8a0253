// SPDX-License-Identifier: Apache-2.0
import LinkProtocol
import TestSupport
import Testing

@Suite struct LinkDatagramTests {
  /// The bytes given as hexadecimal digits, with spaces between them.
  private func bytes(_ text: String) -> [UInt8] {
    let digits = text.filter { !$0.isWhitespace }.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map {
      UInt8(digits[$0] * 16 + digits[$0 + 1])
    }
  }

  // Outside of `#expect`, which does not accept a span.
  private func state(_ bytes: [UInt8]) throws -> LinkPeerState {
    try LinkPeerState(reading: bytes.span)
  }

  private func header(_ bytes: [UInt8]) throws -> DiscoveryHeader {
    try DiscoveryHeader(reading: bytes.span)
  }

  private func answer(_ ping: [UInt8], _ session: LinkID, _ time: Int64) -> [UInt8]? {
    MeasurementMessage.pong(to: ping.span, session: session, ghostTime: time)
  }

  private var alive: [UInt8] {
    bytes(
      """
      5f617364705f7601 01 05 0000 6841524e5a542331
      746d6c6e00000018 000000000007a120 00000000000f41a2 0000000000000000
      7365737300000008 6841524e5a542331 7374737400000011 00 0000000000000000 0000000000000000
      6d65703400000006 7f000001 a732
      """)
  }

  private func again(_ bytes: [UInt8]) throws -> [UInt8] {
    if bytes.starts(with: Array("_link_v".utf8)) {
      return try MeasurementMessage(reading: bytes.span).datagram
    }
    let header = try DiscoveryHeader(reading: bytes.span)
    let entries = bytes.span.extracting(DiscoveryHeader.size..<bytes.count)
    let state = try LinkPeerState(reading: entries)
    return header.datagram(header.kind == .byeBye ? nil : state)
  }

  @Test func `a peer's state is read from bytes and written to the same bytes`() throws {
    let header = try DiscoveryHeader(reading: alive.span)
    #expect(header.kind == .alive && header.timeToLive == 5 && header.group == 0)
    #expect(header.node.description == "6841524e5a542331")
    let state = try LinkPeerState(reading: alive.span.extracting(20..<alive.count))
    #expect(state.timeline?.microsecondsPerBeat == 500_000)
    #expect(state.timeline?.beatOrigin == 999_842 && state.timeline?.timeOrigin == 0)
    #expect(state.session == header.node && state.startStop == .untouched)
    #expect(state.endpoint == LinkEndpoint(.v4(0x7f00_0001), port: 0xa732))
    #expect(try again(alive) == alive && alive.count == 107)
  }

  @Test func `a playing state, and one with IPv6, are written as they were read`() throws {
    let playing = bytes(
      """
      5f617364705f7601 01 05 0000 433b772b6423615b
      746d6c6e00000018 000000000007a120 00000000000f42d0 0000000000000000
      7365737300000008 3833783e483a5d5c 7374737400000011 01 0000000000897cd2 00000000003d1d03
      6d65703400000006 7f000001 8a86
      """)
    #expect(try again(playing) == playing)
    let state = try LinkPeerState(reading: playing.span.extracting(20..<playing.count))
    #expect(
      state.startStop == LinkStartStop(isPlaying: true, beats: 9_010_386, timestamp: 4_005_123))
    var six = state
    six.endpoint = LinkEndpoint(.v6(0xfe80 << 112 | 1), port: 9)
    let header = DiscoveryHeader(.response, timeToLive: 5, node: LinkID(bits: 1))
    #expect(header.datagram(six).count == 119)
    #expect(try again(header.datagram(six)) == header.datagram(six))
  }

  @Test func `a farewell does not contain entries`() throws {
    let farewell = bytes("5f617364705f7601 03 00 0000 457a3b5f4c6e7b4c")
    #expect(try again(farewell) == farewell)
  }

  @Test func `a ping is answered with its entries appended`() throws {
    let ping = bytes("5f6c696e6b5f7601 01 5f5f687400000008 00000000c4f64bca")
    let pong = bytes(
      """
      5f6c696e6b5f7601 02 7365737300000008 457a3b5f4c6e7b4c 5f5f677400000008 00000000000002d4
      5f5f687400000008 00000000c4f64bca
      """)
    let session = LinkID(bits: 0x457a_3b5f_4c6e_7b4c)
    #expect(answer(ping, session, 724) == pong)
    #expect(try again(ping) == ping && again(pong) == pong)
    let second = bytes(
      "5f6c696e6b5f7601 01 5f5f687400000008 00000000c4f64cbb 5f70677400000008 00000000000002d4")
    #expect(
      MeasurementMessage(pingAt: 3_304_475_835, previousGhostTime: 724).datagram == second)
    #expect(answer(second + [0], session, 821) == nil)
  }

  @Test func `unknown entries are skipped, and of repeated ones the last applies`() throws {
    let strange = bytes("61657034 00000006 7f000001 0001")
    let session = bytes("73657373 00000008 0000000000000007")
    let state = try LinkPeerState(reading: (Array(alive[20...]) + strange + session).span)
    #expect(state.session == LinkID(bits: 7) && state.timeline?.microsecondsPerBeat == 500_000)
  }

  @Test func `an entry beyond the end or of the wrong size invalidates the datagram`() throws {
    #expect(throws: LinkError.cut) { try state(Array(alive[20..<100])) }
    #expect(throws: LinkError.cut) { try state([1, 2, 3]) }
    let short = bytes("73657373 00000007 00000000000007")
    #expect(throws: LinkError.badEntry(0x7365_7373)) { try state(short) }
    #expect(throws: LinkError.foreign) { try header(Array(alive[..<19])) }
    #expect(throws: LinkError.foreign) { try header(Array(alive[1...])) }
    var other = alive
    other[8] = 4
    #expect(throws: LinkError.unknownKind(4)) { try header(other) }
  }

  @Test(
    .enabled(if: LinkWireFolder.isThere, LinkWireFolder.reason),
    arguments: [
      ("discovery-join-leave.pcap", 302), ("multi-gateway-discovery.pcap", 418),
      ("sync-start-stop.pcap", 363), ("sync-tempo-change.pcap", 344),
    ])
  func `datagrams of the reference are read, and written to the same bytes`(
    capture: String, count: Int
  ) throws {
    let datagrams = try LinkWireFolder.datagrams(of: capture)
    #expect(datagrams.count == count)
    for datagram in datagrams { #expect(try again(datagram) == datagram) }
  }
}

// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicalTime
import TestSupport
import Testing

@Suite struct MessageParserTests {
  private func parse(
    _ bytes: [UInt8], _ parser: inout MessageParser
  ) -> [[UInt8]] {
    var buffer = HostEventBuffer()
    parser.parse(bytes.span, time: .zero, into: &buffer)
    return buffer.events.map { event in
      switch event.payload {
      case .message(let message):
        return Array([message.status, message.data1, message.data2].prefix(message.length))
      case .sysEx(let place):
        return [0xF0] + (0..<place.count).map { buffer.payloads[Int(place.offset + $0)] } + [0xF7]
      case .parameter, .fact, .sysExPart: return []
      }
    }
  }

  private func parse(_ bytes: [UInt8]) -> [[UInt8]] {
    var parser = MessageParser()
    return parse(bytes, &parser)
  }

  @Test func `running status goes on through real-time bytes`() {
    #expect(
      parse([0x90, 60, 1, 62, 0xF8, 2, 0xFE, 64, 3])
        == [[0x90, 60, 1], [0xF8], [0x90, 62, 2], [0xFE], [0x90, 64, 3]])
  }

  @Test func `a system common message ends running status`() {
    var parser = MessageParser()
    #expect(
      parse([0xC3, 5, 6, 0xF6, 7, 0xF2, 1, 2, 3], &parser)
        == [[0xC3, 5], [0xC3, 6], [0xF6], [0xF2, 1, 2]])
    #expect(parser.strayBytes == 2)
  }

  @Test func `real-time bytes are parsed in the middle of a SysEx`() {
    #expect(parse([0xF0, 1, 0xF8, 2, 0xF7]) == [[0xF8], [0xF0, 1, 2, 0xF7]])
  }

  @Test func `another status ends a SysEx`() {
    #expect(parse([0xF0, 1, 2, 0x90, 60, 1]) == [[0xF0, 1, 2, 0xF7], [0x90, 60, 1]])
    #expect(parse([0xF0, 1, 0xF6]) == [[0xF0, 1, 0xF7], [0xF6]])
  }

  @Test func `what belongs to no message is counted`() {
    var parser = MessageParser()
    #expect(parse([1, 2, 0xF4, 3, 0xFD, 0xF7, 0x80, 60, 0x90, 60, 1], &parser) == [[0x90, 60, 1]])
    #expect(parser.strayBytes == 6)
  }

  @Test func `a SysEx over the limit is dropped and counted`() {
    var parser = MessageParser(sysExLimit: 3)
    #expect(
      parse([0xF0, 1, 2, 3, 0xF7, 0xF0, 1, 2, 3, 4, 0xF7, 0xF8], &parser)
        == [[0xF0, 1, 2, 3, 0xF7], [0xF8]])
    #expect(parser.oversized == 1)
  }

  @Test func `bytes cut anywhere give the same messages`() {
    var random = SplitMix(seed: 7)
    let bytes = (0..<4000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let whole = parse(bytes)
    for cut in stride(from: 0, through: bytes.count, by: 37) {
      var parser = MessageParser()
      #expect(parse(Array(bytes[..<cut]), &parser) + parse(Array(bytes[cut...]), &parser) == whole)
    }
  }

  @Test(arguments: [false, true])
  func `what the encoder writes the parser reads`(usesRunningStatus: Bool) {
    var random = SplitMix(seed: 11)
    var encoder = MessageEncoder(usesRunningStatus: usesRunningStatus)
    let statuses = [0x80, 0x93, 0xA0, 0xB0, 0xB0, 0xC1, 0xD2, 0xE0, 0xF1, 0xF2, 0xF6, 0xF8, 0xFE]
    var bytes: [UInt8] = []
    var written: [[UInt8]] = []
    for index in 0..<2000 {
      let data = (0..<2).map { _ in UInt8.random(in: 0...127, using: &random) }
      if index % 50 == 49 {
        encoder.encode(sysEx: data.span, into: &bytes)
        written.append([0xF0] + data + [0xF7])
      } else {
        let status = UInt8(statuses.randomElement(using: &random) ?? 0x90)
        let message = Message(status: status, data1: data[0], data2: data[1])
        encoder.encode(message, into: &bytes)
        written.append(Array([status, data[0], data[1]].prefix(message.length)))
      }
    }
    #expect(parse(bytes) == written)
  }

  @Test func `running status saves bytes`() {
    var encoder = MessageEncoder(usesRunningStatus: true)
    var bytes: [UInt8] = []
    for message in [
      Message(status: 0x90, data1: 1, data2: 2), Message(status: 0x90, data1: 3, data2: 4),
      Message(status: 0xF8), Message(status: 0x90, data1: 5, data2: 6),
      Message(status: 0xF6), Message(status: 0x90, data1: 7, data2: 8),
    ] {
      encoder.encode(message, into: &bytes)
    }
    #expect(bytes == [0x90, 1, 2, 3, 4, 0xF8, 5, 6, 0xF6, 0x90, 7, 8])
  }
}

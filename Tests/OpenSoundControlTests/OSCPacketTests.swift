// SPDX-License-Identifier: Apache-2.0
import Foundation
import OpenSoundControl
import TestSupport
import Testing

@Suite struct OSCPacketTests {
  /// The bytes that hexadecimal digits stand for, with spaces between them.
  private func bytes(_ text: some StringProtocol) -> [UInt8] {
    let digits = text.filter { !$0.isWhitespace }.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map {
      UInt8(digits[$0] * 16 + digits[$0 + 1])
    }
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test func `the messages of the specification have its bytes`() throws {
    let frequency = OSCPacket.message(OSCMessage("/oscillator/4/frequency", [.float(440)]))
    let first = bytes(
      """
      2f6f7363 696c6c61 746f722f 342f6672 65717565 6e637900 2c660000 43dc0000
      """)
    #expect(try frequency.bytes() == first)
    #expect(try OSCPacket(reading: first) == frequency)
    let foo = OSCPacket.message(
      OSCMessage(
        "/foo", [.int32(1000), .int32(-1), .string("hello"), .float(1.234), .float(5.678)]))
    let second = bytes(
      """
      2f666f6f 00000000 2c696973 66660000 000003e8 ffffffff 68656c6c 6f000000 3f9df3b6 40b5b22d
      """)
    #expect(try foo.bytes() == second)
    #expect(try OSCPacket(reading: second) == foo)
  }

  @Test func `a bundle and every other type have their bytes`() throws {
    let values: [OSCValue] = [
      .blob([1, 2, 3, 4, 5]), .int64(-2), .timeTag(.immediately), .double(0.5), .bool(true),
      .bool(false), .null, .impulse,
    ]
    let bundle = OSCPacket.bundle(
      OSCBundle(
        [.message(OSCMessage("/a", values)), .bundle(OSCBundle([]))],
        at: OSCTimeTag(rawValue: 0x83AA_7E80_8000_0000)))
    let expected = bytes(
      """
      2362756e 646c6500 83aa7e80 80000000
      00000034 2f610000 2c626874 6454464e 49000000 00000005 01020304 05000000
      ffffffff fffffffe 00000000 00000001 3fe00000 00000000
      00000010 2362756e 646c6500 00000000 00000001
      """)
    #expect(try bundle.bytes() == expected)
    #expect(try OSCPacket(reading: expected) == bundle)
  }

  @Test func `what is written is read as the same`() throws {
    var maker = PacketMaker(random: SplitMix(seed: 1))
    for _ in 0..<2_000 {
      let packet = maker.packet()
      let bytes = try packet.bytes()
      #expect(bytes.count % 4 == 0)
      #expect(try OSCPacket(reading: bytes) == packet)
    }
  }

  @Test func `a message that was cut anywhere is refused with the place`() throws {
    var maker = PacketMaker(random: SplitMix(seed: 2))
    for _ in 0..<200 {
      let bytes = try OSCPacket.message(maker.message()).bytes()
      for count in 0..<bytes.count {
        let error = #expect(throws: OSCError.self) {
          try OSCPacket(reading: Array(bytes[..<count]))
        }
        let sentence = "\(try #require(error))"
        let offset = sentence.firstMatch(of: /^byte (\d+):/).flatMap { Int($0.1) }
        #expect(offset ?? .max <= count, "\(sentence)")
      }
    }
  }

  @Test func `a cut bundle is refused unless the cut is between elements`() throws {
    let element = OSCPacket.message(OSCMessage("/a", [.string("text"), .blob([1])]))
    let size = try element.bytes().count + 4
    let bytes = try OSCPacket.bundle(OSCBundle([element, element, element])).bytes()
    for count in 0..<bytes.count {
      let cut = Array(bytes[..<count])
      if count >= 16, (count - 16) % size == 0 {
        let elements = [OSCPacket](repeating: element, count: (count - 16) / size)
        #expect(try OSCPacket(reading: cut) == .bundle(OSCBundle(elements)))
      } else {
        #expect(throws: OSCError.self) { try OSCPacket(reading: cut) }
      }
    }
  }

  @Test(arguments: [
    ("", "byte 0: the packet ends too early"),
    ("66", "byte 0: an address must begin with '/'"),
    ("2362756e 646c6600 00000000 00000001", "byte 0: an address must begin with '/'"),
    ("2ff0f000 2c000000", "byte 0: a string is not UTF-8, or contains a zero byte"),
    ("2f610000", "byte 4: expected a type tag string, which begins with ','"),
    ("2f610000 00000001", "byte 4: expected a type tag string, which begins with ','"),
    ("2f610000 2c5b5d00", "byte 5: type '[' is not supported (use ifsbhtdTFNI)"),
    ("2f610000 2c690000 0000", "byte 8: the packet ends too early"),
    ("2f610000 2c540000 00000000", "byte 8: extra bytes after the last argument"),
    ("2f610000 2c620000 ffffffff", "byte 8: invalid size -1"),
    ("2f610000 2c620000 00000005 01020304 05", "byte 8: invalid size 5"),
    ("2f610000 2c620000 7fffffff 01020304", "byte 8: invalid size 2147483647"),
    ("2362756e 646c6500 00000000 00000001 00000006", "byte 16: invalid size 6"),
    ("2362756e 646c6500 00000000 00000001 00000000", "byte 16: invalid size 0"),
  ])
  func `an invalid packet is refused with the position`(text: String, sentence: String) {
    let error = #expect(throws: OSCError.self) { try OSCPacket(reading: bytes(text)) }
    #expect(error?.description == sentence)
  }

  @Test func `what cannot be written is refused`() {
    #expect(throws: OSCError.badAddress(offset: 0)) {
      try OSCPacket.message(OSCMessage("play")).bytes()
    }
    #expect(throws: OSCError.badText(offset: 8)) {
      try OSCPacket.message(OSCMessage("/a", [.string("a\0b")])).bytes()
    }
  }

  @Test func `bundles lie eight deep in one another and no deeper`() throws {
    var packet = OSCPacket.bundle(OSCBundle([]))
    for _ in 1..<OSCPacket.deepest { packet = .bundle(OSCBundle([packet])) }
    let bytes = try packet.bytes()
    #expect(try OSCPacket(reading: bytes) == packet)
    #expect(throws: OSCError.self) { try OSCPacket.bundle(OSCBundle([packet])).bytes() }
    let head = self.bytes("2362756e 646c6500 00000000 00000001 000000")
    let deeper = head + [UInt8(bytes.count)] + bytes
    #expect(throws: OSCError.tooDeep(offset: 8 * 20)) { try OSCPacket(reading: deeper) }
  }

  @Test(.enabled(if: PythonWitness.has("pythonosc"), "no python-osc (see make setup-test)"))
  func `python-osc reads what we write, and writes the same`() throws {
    var maker = PacketMaker(random: SplitMix(seed: 3), isForPython: true)
    let lines = try (0..<2_000).map { _ in hex(try maker.packet().bytes()) }
    let script = ToolRun.packageFolder
      .appendingPathComponent("Tests/OpenSoundControlTests/again.py").path
    let run = try ToolRun(
      [script], input: Data((lines.joined(separator: "\n") + "\n").utf8),
      command: PythonWitness.path)
    let again = run.text.split(separator: "\n").map(String.init)
    #expect(run.status == 0 && again.count == lines.count, "\(run.errors)")
    for (ours, theirs) in zip(lines, again) { #expect(ours == theirs) }
  }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import MIDIMessages
import MusicSequences
import Testing

@testable import CommandKit
@testable import DownbeatCommand
@testable import PlayerControl
@testable import PortTools

/// Names in input and in output.
@Suite struct WordTests {
  private func sent(_ words: String, middleC: Int = 4) throws -> [[UInt8]] {
    var script = SendScript(keys: KeyWords(middleC: middleC))
    try script.read(line: words)
    return script.buffer.events.map { event in
      guard case .message(let message) = event.payload else { return [] }
      return Array([message.status, message.data1, message.data2].prefix(message.length))
    }
  }

  @Test(arguments: [
    ("on C4 100", 4, [0x90, 60, 100]), ("on C4 100", 3, [0x90, 72, 100]),
    ("omc 3 on C4 100", 4, [0x90, 72, 100]), ("ch 10 on snare 100", 4, [0x99, 38, 100]),
    ("ch 10 off hat 0", 4, [0x89, 42, 0]), ("pc violin", 4, [0xC0, 40]), ("pc 41", 4, [0xC0, 40]),
    ("ch 10 pc brush", 4, [0xC9, 40]), ("cc volume 100", 4, [0xB0, 7, 100]),
    ("cc sustain 127", 4, [0xB0, 64, 127]), ("hex cc 40 7F", 4, [0xB0, 64, 127]),
    ("ch 10 pp crash 9", 4, [0xA9, 49, 9]), ("hex on C4 64", 4, [0x90, 60, 100]),
  ])
  func `names are sent as their values`(words: String, middleC: Int, bytes: [UInt8]) throws {
    #expect(try sent(words, middleC: middleC) == [bytes])
  }

  @Test(arguments: ["-", "1,-", "0", "3-2", "1-17", "x", "", ","])
  func `invalid channels are refused`(text: String) {
    #expect(throws: ControlError.self) { try PortChannels.channels(in: text) }
  }

  @Test func `a controller with 14 bits can be named, too`() throws {
    #expect(try sent("cc14 volume 16383") == [[0xB0, 7, 127], [0xB0, 39, 127]])
    #expect(throws: Failure.self) { try sent("cc14 sustain 1") }
  }

  @Test(arguments: [
    ("on snare 100", "drums are on channel 10"), ("ch 10 on tom 1", "ambiguous: 41 Low Floor Tom"),
    ("pc guitar", "ambiguous: 25 Acoustic Guitar (nylon)"), ("cc vibrato 1", "76 vibrato rate"),
    ("cc nothing 1", "must be a number 0…127 or a name"), ("pc 129", "1…128"),
    ("cc 128 1", "0…127"),
    ("on 128 1", "0…127"),
  ])
  func `an unknown or ambiguous name is refused`(words: String, hint: String) throws {
    let error = #expect(throws: Failure.self) { try sent(words) }
    #expect(error?.exitStatus == .usage)
    #expect(error?.description.contains(hint) == true, "\(error?.description ?? "")")
  }

  @Test(arguments: [
    (Message(status: 0x90, data1: 60, data2: 100), "note C4 (60), velocity 100"),
    (Message(status: 0x99, data1: 38, data2: 100), "note Acoustic Snare (38), velocity 100"),
    (Message(status: 0x99, data1: 12, data2: 1), "note C0 (12), velocity 1"),
    (Message(status: 0xB0, data1: 64, data2: 0), "controller 64 sustain, value 0"),
    (Message(status: 0xB0, data1: 3, data2: 0), "controller 3, value 0"),
    (Message(status: 0xC0, data1: 40), "program 41 Violin"),
    (Message(status: 0xC9, data1: 40), "program 41 Brush Kit"),
    (Message(status: 0xE0, data1: 0, data2: 64), "value 0"), (Message(status: 0xF8), ""),
  ])
  func `a monitor shows names together with numbers`(message: Message, text: String) {
    #expect(MessageWords(message).text == text)
  }

  @Test func `the octave of middle C can be set`() {
    let words = MessageWords(
      Message(status: 0x90, data1: 60, data2: 1), keys: KeyWords(middleC: 3))
    #expect(words.text == "note C3 (60), velocity 1")
    #expect(words.values.first?.value == 60)
  }

  @Test(arguments: [
    (["--keys", "36-60"], 36, 60), (["--keys", "C2-C4"], 36, 60), (["--keys", "C-1-C4"], 0, 60),
    (["--keys", "C3", "--octaves", "3"], 60, 60), (["--keys", "hi-hat"], -1, -1),
    (["--keys", "closed hi-hat"], 42, 42), (["--keys", "snare"], 38, 38),
    (["--keys", "80"], 80, 80),
    (["--keys", "36-"], -1, -1), (["--keys", "128"], -1, -1),
  ])
  func `a range of keys is numbers or names`(words: [String], low: Int, high: Int) throws {
    guard low >= 0 else {
      #expect(throws: (any Error).self) { try FilterOptions.parse(words) }
      return
    }
    let range = NumberRange(from: UInt8(low), through: UInt8(high))
    #expect(try FilterOptions.parse(words).filter.keys == range)
  }

  @Test func `changes of controllers and keys accept names`() throws {
    #expect(try ControlChange.parse("volume=toexpression") == ControlChange.parse("7=to11"))
    #expect(try ControlChange.parse("cc14:modulation=50%") == ControlChange.parse("cc14:1=50%"))
    #expect(throws: (any Error).self) { try ControlChange.parse("vibrato=off") }
    let keys = try ValueTransform(parsing: "snare=C#2/D2=rim") { name in
      try? UInt16(KeyWords().key(name).number)
    }
    #expect(keys.apply(UInt8(38)) == 37)
  }
}

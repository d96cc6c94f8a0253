// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import ArgumentParser
internal import CommandKit
internal import Downbeat
internal import FileNames
internal import MIDIMessages
internal import MusicalTime
internal import PlayerControl

/// Messages in the syntax of SendMIDI, read line by line or from the command line.
///
/// Each word is followed by its values: `ch 2 on C4 100`. The settings of a line, `ch`, `hex`,
/// `omc` and the time, apply to the following lines, too.
struct SendScript {
  /// The messages that have been read; times are nanoseconds from the start.
  var buffer = HostEventBuffer()
  /// The current time of the script, in nanoseconds from the start.
  var time: Int64 = 0
  /// True if sending takes time: the script has delays, or a SysEx is sent in parts.
  var takesTime: Bool { time > 0 || buffer.payloads.count + 2 > ALSAOutputPort.longestAtOnce }

  private var channel = Channel(index: 0)
  private var isHex = false
  private var keys = KeyWords()
  private var words: ArraySlice<String> = []
  private var depth = 0
  private var byteCount = 0

  /// Creates an empty script, with the given names of keys.
  init(keys: KeyWords = KeyWords()) {
    self.keys = keys
  }

  /// The deepest nesting of message files.
  private static let deepest = 16
  /// The total size limit of message files, in bytes: 4 MiB; a file counts each time that it is
  /// read.
  private static let mostBytes = 4 << 20
  /// The size limit of a SysEx file, in bytes.
  private static let longestSysEx = 1 << 26

  /// Reads words, and adds their messages to `buffer`.
  mutating func read(_ words: [String]) throws {
    let outer = self.words
    defer { self.words = outer }
    self.words = words[...]
    while let word = self.words.popFirst() { try read(word) }
  }

  /// Reads a line of words; a word that begins with `#` starts a comment.
  mutating func read(line: some StringProtocol) throws {
    let words = line.split { $0.isWhitespace }.prefix { !$0.hasPrefix("#") }
    try read(words.map { String($0) })
  }

  private mutating func read(_ word: String) throws {
    switch word.lowercased() {
    case "ch", "channel":
      guard let found = Channel(number: try number(after: word, in: 1...16)) else { return }
      channel = found
    case "dec": isHex = false
    case "hex": isHex = true
    case "omc": keys.middleC = try number(after: word, in: -10...10)
    case "wait": time = try later(by: TypedTime(parsing: try next(after: word)).nanoseconds, word)
    case "file": try readFile(try next(after: word))
    case "syf": try readSysEx(try next(after: word))
    default:
      if try readChannelWord(word) || readSystemWord(word) || readTime(word) { return }
      guard word.hasSuffix(".syx") else { throw unknown(word) }
      try readSysEx(word)
    }
  }

  private mutating func readChannelWord(_ word: String) throws -> Bool {
    switch word.lowercased() {
    case "on": add(0x90, try key(after: word), try byte(after: word))
    case "off": add(0x80, try key(after: word), try byte(after: word))
    case "pp": add(0xA0, try key(after: word), try byte(after: word))
    case "cc": add(0xB0, try controller(after: word, in: 0...127), try byte(after: word))
    case "pc": add(0xC0, try program(after: word), 0)
    case "cp": add(0xD0, try byte(after: word), 0)
    case "pb": addPair(0xE0, try number(after: word, in: 0...16383))
    case "cc14":
      let controller = try controller(after: word, in: 0...31)
      let value = try number(after: word, in: 0...16383)
      add(0xB0, controller, UInt8(value >> 7))
      add(0xB0, controller + 32, UInt8(value & 0x7F))
    case "rpn": try addParameter(selector: 100, word)
    case "nrpn": try addParameter(selector: 98, word)
    case "panic": for message in Panic.resets { add(message) }
    default: return false
    }
    return true
  }

  private mutating func readSystemWord(_ word: String) throws -> Bool {
    switch word.lowercased() {
    case "start": add(Message(status: 0xFA))
    case "cont", "continue": add(Message(status: 0xFB))
    case "stop": add(Message(status: 0xFC))
    case "as": add(Message(status: 0xFE))
    case "rst", "reset": add(Message(status: 0xFF))
    case "tun": add(Message(status: 0xF6))
    case "ss": add(Message(status: 0xF3, data1: try byte(after: word)))
    case "spp":
      let beats = try number(after: word, in: 0...16383)
      add(Message(status: 0xF2, data1: UInt8(beats & 0x7F), data2: UInt8(beats >> 7)))
    case "tc":
      let piece = try number(after: word, in: 0...7)
      add(Message(status: 0xF1, data1: UInt8(piece << 4 | (try number(after: word, in: 0...15)))))
    case "mc": try addClocks(try number(after: word, in: 1...999))
    case "syx": try addSysEx(word)
    case "raw": try addRaw(word)
    default: return false
    }
    return true
  }

  // MARK: Numbers

  private mutating func program(after word: String) throws -> UInt8 {
    let text = try next(after: word)
    if let value = number(text), (1...128).contains(value) { return UInt8(value - 1) }
    return try named(word) { () throws(ControlError) in
      try ProgramWords.program(text, on: channel)
    }
  }

  private mutating func controller(
    after word: String, in range: ClosedRange<UInt8>
  ) throws -> UInt8 {
    let text = try next(after: word)
    if let value = number(text).flatMap(UInt8.init(exactly:)), range.contains(value) {
      return value
    }
    let found = try named(word) { () throws(ControlError) in
      try ControllerWords.controller(text, in: range)
    }
    return found.number
  }

  /// Reads a name; an error names the word before it.
  private func named<Value>(
    _ word: String, _ find: () throws(ControlError) -> Value
  ) throws(Failure) -> Value {
    do throws(ControlError) {
      return try find()
    } catch {
      throw Failure(.usage, "'\(word)': \(error)")
    }
  }

  private mutating func next(after word: String) throws -> String {
    guard let text = words.popFirst() else {
      throw Failure(.usage, "'\(word)': the value is missing")
    }
    return text
  }

  private mutating func byte(after word: String) throws -> UInt8 {
    UInt8(try number(after: word, in: 0...127))
  }

  private mutating func number(after word: String, in range: ClosedRange<Int>) throws -> Int {
    let text = try next(after: word)
    guard let value = number(text), range.contains(value) else {
      throw Failure(
        .usage, "'\(word) \(text)': not a number in \(range.lowerBound)…\(range.upperBound)"
      )
    }
    return value
  }

  /// Reads a number: hexadecimal with a final H, decimal with a final M, otherwise in the base set
  /// by `hex` or `dec`.
  private func number(_ text: String) -> Int? {
    switch text.last {
    case "H", "h": Int(text.dropLast(), radix: 16)
    case "M", "m": Int(text.dropLast())
    default: Int(text, radix: isHex ? 16 : 10)
    }
  }

  private mutating func key(after word: String) throws -> UInt8 {
    let text = try next(after: word)
    // After `hex`, C4 is a number; names of notes need a sharp, or `dec`.
    if let value = number(text), (0...127).contains(value) { return UInt8(value) }
    let found = try named(word) { () throws(ControlError) in try keys.key(text, on: channel) }
    return found.number
  }

  // MARK: Times

  private func later(by distance: Int64, _ word: String) throws -> Int64 {
    let (sum, overflow) = time.addingReportingOverflow(distance)
    guard !overflow else { throw Self.outOfRange(word) }
    return try possible(sum, word)
  }

  /// Checks that a time leaves room for additions: at most 73 years from the start.
  private func possible(_ time: Int64, _ word: String) throws -> Int64 {
    guard (0..<Int64.max / 4).contains(time) else { throw Self.outOfRange(word) }
    return time
  }

  private static func outOfRange(_ word: String) -> Failure {
    Failure(.usage, "'\(word)': the time is out of range")
  }

  /// Reads `HH:MM:SS.mmm`, counted from the start, or from the previous word with a plus before it.
  private mutating func readTime(_ word: String) throws -> Bool {
    let isRelative = word.hasPrefix("+")
    let fields = (isRelative ? word.dropFirst() : word[...]).split(
      separator: ":", omittingEmptySubsequences: false)
    guard fields.count == 3, word.first?.isNumber == true || isRelative else { return false }
    let length = try TypedTime(parsing: fields.joined(separator: ":"))
    let written =
      isRelative
      ? try later(by: length.nanoseconds, word) : try possible(length.nanoseconds, word)
    time = max(time, written)
    return true
  }

  // MARK: What is added

  private mutating func add(_ message: Message) {
    buffer.append(HostEvent(time: HostTime(nanoseconds: time), payload: .message(message)))
  }

  private mutating func add(_ status: UInt8, _ data1: UInt8, _ data2: UInt8) {
    add(Message(status: status | channel.index, data1: data1, data2: data2))
  }

  private mutating func addPair(_ status: UInt8, _ value: Int) {
    add(status, UInt8(value & 0x7F), UInt8(value >> 7))
  }

  private mutating func addParameter(selector: UInt8, _ word: String) throws {
    let parameter = try number(after: word, in: 0...16383)
    let value = try number(after: word, in: 0...16383)
    add(0xB0, selector + 1, UInt8(parameter >> 7))
    add(0xB0, selector, UInt8(parameter & 0x7F))
    add(0xB0, 6, UInt8(value >> 7))
    add(0xB0, 38, UInt8(value & 0x7F))
  }

  /// Adds MIDI clocks for two quarter notes, 24 for each.
  private mutating func addClocks(_ beatsPerMinute: Int) throws {
    let start = time
    for clock in 0..<48 {
      time = start + Int64(clock) * 2_500_000_000 / Int64(beatsPerMinute)
      add(Message(status: 0xF8))
    }
    time = start + 120_000_000_000 / Int64(beatsPerMinute)
  }

  private mutating func bytes(after word: String, in range: ClosedRange<Int>) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while let text = words.first, let value = number(text) {
      guard range.contains(value) else {
        throw Failure(.usage, "'\(word)': \(text) is not in 0…\(range.upperBound)")
      }
      bytes.append(UInt8(value))
      words.removeFirst()
    }
    guard !bytes.isEmpty else { throw Failure(.usage, "'\(word)': the bytes are missing") }
    return bytes
  }

  private mutating func addSysEx(_ word: String) throws {
    var bytes = try bytes(after: word, in: 0...255)
    if bytes.first == 0xF0 { bytes.removeFirst() }
    if bytes.last == 0xF7 { bytes.removeLast() }
    guard bytes.allSatisfy({ $0 < 0x80 }) else {
      throw Failure(.usage, "'\(word)': the bytes between F0 and F7 must be in 0…127")
    }
    buffer.append(
      sysEx: bytes.span, time: HostTime(nanoseconds: time), track: 0, generation: 0)
  }

  private mutating func addRaw(_ word: String) throws {
    var parser = MessageParser()
    let bytes = try bytes(after: word, in: 0...255)
    parser.parse(bytes.span, time: HostTime(nanoseconds: time), into: &buffer)
    guard parser.strayBytes == 0 else {
      throw Failure(.usage, "'\(word)': some bytes are not part of a message")
    }
  }

  private mutating func readSysEx(_ path: String) throws {
    let file = try InputFile(named: path, limit: Self.longestSysEx)
    var parser = MessageParser(sysExLimit: Self.longestSysEx)
    let before = buffer.events.count
    parser.parse(file.bytes.span, time: HostTime(nanoseconds: time), into: &buffer)
    guard parser.strayBytes == 0, parser.oversized == 0, buffer.events.count > before,
      file.bytes.last == 0xF7
    else { throw Failure(.badData, "\(path): not a file of SysEx messages (F0 to F7)") }
  }

  private mutating func readFile(_ path: String) throws {
    guard depth < Self.deepest else {
      throw Failure(.usage, "\(path): message files are nested more than \(Self.deepest) deep")
    }
    depth += 1
    defer { depth -= 1 }
    let file = try InputFile(named: path, limit: Self.mostBytes)
    byteCount += file.bytes.count
    guard byteCount <= Self.mostBytes else {
      throw Failure(
        .badData, "\(path): message files are larger than \(Self.mostBytes >> 20) MiB in total"
      )
    }
    let text = FileName.text(of: file.bytes)
    for line in text.split(whereSeparator: \.isNewline) { try read(line: line) }
  }

  private func unknown(_ word: String) -> Failure {
    let hints = [
      "note": "on C4 100 wait 500ms off C4", "note-on": "on", "noteon": "on", "note-off": "off",
      "noteoff": "off", "program": "pc", "control": "cc", "controller": "cc", "bend": "pb",
      "pitch": "pb", "channel": "ch", "sysex": "syx", "continue": "cont", "clock": "mc",
      "tempo": "mc", "pressure": "cp", "sleep": "wait", "reset": "rst",
    ]
    let advice = hints[word.lowercased()].map { "try \($0); " } ?? ""
    return Failure(.usage, "'\(word)': unknown word (\(advice)downbeat help send lists the words)")
  }
}

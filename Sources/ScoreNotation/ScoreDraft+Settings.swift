// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime

extension ScoreDraft {
  private static let controllers: [String: UInt8] = [
    "volume": 7, "pan": 10, "expression": 11, "mod": 1, "reverb": 91, "chorus": 93,
    "portamento": 5, "breath": 2, "cutoff": 74, "resonance": 71,
  ]

  private static let settings =
    "@channel @program @bank @volume @pan @expression @mod @reverb @chorus @cc @bend @pedal @gate "
    + "@swing @human @transpose @octave @step @tempo @meter @key @marker @lyric @sing @text "
    + "@unit @parameter"

  /// Executes a setting: `@name value`.
  mutating func playSetting(
    _ rest: inout ArraySlice<ScoreToken>, part: Int
  ) throws(ScoreError) {
    let token = rest.removeFirst()
    let name = String(token.text.dropFirst())
    guard let value = rest.popFirst() else {
      throw ScoreError(token, "needs a value after it", allowed: Self.settings)
    }
    if let number = Self.controllers[name] {
      return try control(number, value, highest: 127, part: part)
    }
    switch name {
    case "cc":
      let number = try controller(value)
      guard let level = rest.popFirst() else {
        throw ScoreError(value, "needs a value after it", allowed: "as in @cc 74 64")
      }
      try control(number, level, highest: 127, part: part)
    case "bend": try bend(value, part: part)
    case "pedal": try pedal(value, part: part)
    case "marker", "lyric", "text": try mark(name, value, part: part)
    case "sing": try sing(value, part: part)
    case "unit":
      guard value.kind == .quoted else {
        throw ScoreError(value, "is not in quotes", allowed: "as in @unit \"panner\"")
      }
      parts[part].unit = value.text
    case "parameter":
      let number = try number(value, 0...65535)
      guard let level = rest.popFirst() else {
        throw ScoreError(value, "needs a value after it", allowed: "as in @parameter 0 -0.5/1")
      }
      try moveParameter(UInt32(number), level, part: part)
    case "tempo": try changeTempo(value, part: part)
    case "meter": meters.append((parts[part].state.position, try meter(value)))
    case "key":
      var words = [value]
      if let next = rest.first, next.text == "minor" { words.append(rest.removeFirst()) }
      var key = try key(words[...], of: token)
      key.tick = parts[part].state.position
      keys.append(key)
    case "human":
      parts[part].feel.velocityRange = Int64(try number(value, 0...64))
      if let next = rest.first, next.isWord, Int(next.text) != nil {
        parts[part].feel.timeRange = Int64(try number(rest.removeFirst(), 0...240))
      }
    default: try set(name, token, value, part: part)
    }
  }

  /// Settings that remain in force, and settings that send one message.
  private mutating func set(
    _ name: String, _ token: ScoreToken, _ value: ScoreToken, part: Int
  ) throws(ScoreError) {
    switch name {
    case "channel":
      parts[part].channel = Channel(index: UInt8(try number(value, 1...16) - 1))
    case "program":
      let channel = parts[part].channel
      append(.program(channel, try program(value, on: channel)), part)
    case "bank":
      let bank = try number(value, 0...16383)
      append(.control(parts[part].channel, .bankSelect, value: UInt8(bank >> 7)), part)
      append(.control(parts[part].channel, .bankSelectFine, value: UInt8(bank & 0x7F)), part)
    case "gate": parts[part].state.gate = Int64(try number(value, 1...100))
    case "transpose": parts[part].state.transposition = try number(value, -60...60)
    case "octave": parts[part].state.octave = try number(value, 0...9) + octaveShift
    case "step": parts[part].state.step = try length(Substring(value.text), of: value)
    case "swing":
      let percent = value.text.prefix { $0 != "/" }
      parts[part].feel.swing = Int64(try number(value.replacing(String(percent)), 50...75))
      if percent.count < value.text.count {
        let unit = Substring(value.text).dropFirst(percent.count)
        parts[part].feel.swingUnit = try length(unit, of: value)
      }
    default: throw ScoreError(token, "is an unknown setting", allowed: Self.settings)
    }
  }

  private func number(
    _ token: ScoreToken, _ range: ClosedRange<Int>
  ) throws(ScoreError) -> Int {
    guard let number = Int(token.text), range.contains(number) else {
      throw ScoreError(
        token, "is out of range", allowed: "\(range.lowerBound)…\(range.upperBound)")
    }
    return number
  }

  /// A number from 1, or a General MIDI name; on the drum channel the name of a kit.
  private func program(
    _ token: ScoreToken, on channel: Channel
  ) throws(ScoreError) -> UInt8 {
    if Int(token.text) != nil { return UInt8(try number(token, 1...128) - 1) }
    let found =
      channel == .percussion
      ? GeneralMIDI.kits(named: token.text) : GeneralMIDI.programs(named: token.text)
    if let only = found.first, found.count == 1 { return only }
    let candidates = found.prefix(4).map { program in
      channel == .percussion
        ? GeneralMIDI.name(ofKit: program) ?? "" : GeneralMIDI.name(ofProgram: program)
    }
    throw ScoreError(
      token,
      found.isEmpty ? "is not a program" : "matches several: \(candidates.joined(separator: ", "))",
      allowed: "1…128, or a General MIDI name, as in violin or church-organ")
  }

  /// A number or a name.
  private func controller(_ token: ScoreToken) throws(ScoreError) -> UInt8 {
    if Int(token.text) != nil { return UInt8(try number(token, 0...127)) }
    let found = Controller.named(token.text)
    if let only = found.first, found.count == 1 { return only.number }
    throw ScoreError(
      token, found.isEmpty ? "is not a controller" : "matches several controllers",
      allowed: "0…127, or a name, as in volume")
  }

  private func length(_ text: Substring, of token: ScoreToken) throws(ScoreError) -> Int64 {
    try ScoreDuration(text, of: token, ticksPerWhole: ticksPerWhole).ticks
  }

  private mutating func append(_ message: Message, _ part: Int, at tick: Int64? = nil) {
    parts[part].events.append((tick ?? parts[part].state.position, .message(message)))
  }

  /// Splits `100/1` into the target value and the length of the change; the length is 0 if not
  /// given.
  private mutating func target(_ token: ScoreToken) throws(ScoreError) -> (Substring, Int64) {
    let value = Substring(token.text).prefix { $0 != "/" }
    guard value.count < token.text.count else { return (value, 0) }
    let span = try length(Substring(token.text).dropFirst(value.count), of: token)
    try charge(Int(span / max(1, ticksPerWhole / 64)), for: token)
    return (value, span)
  }

  /// Calls `emit` with each value of a ramp, on a grid of 1/64 of a whole note.
  private func ramp(
    from start: Int64, to end: Int64, over length: Int64, at position: Int64,
    _ emit: (Int64, Int64) -> Void
  ) {
    let grid = max(1, ticksPerWhole / 64)
    let way = PartState.Ramp(from: start, to: end, start: position, length: length)
    var last = start
    var tick = position + min(grid, length)
    while tick < position + length {
      let value = way.value(at: tick)
      if value != last { emit(tick, value) }
      last = value
      tick += grid
    }
    emit(position + length, end)
  }

  private mutating func control(
    _ number: UInt8, _ token: ScoreToken, highest: Int64, part: Int
  ) throws(ScoreError) {
    let (text, length) = try target(token)
    guard let value = Int64(text), (0...highest).contains(value) else {
      throw ScoreError(
        token, "is not a valid value", allowed: "0…\(highest); 90/1 changes gradually over a length"
      )
    }
    let channel = parts[part].channel
    let key = Int(number)
    let start = parts[part].state.controls[key] ?? (number == 7 ? 100 : number == 11 ? 127 : 0)
    var events: [(Int64, Message)] = []
    ramp(from: start, to: value, over: length, at: parts[part].state.position) { tick, value in
      events.append((tick, .control(channel, Controller(number), value: UInt8(value))))
    }
    for (tick, message) in events { append(message, part, at: tick) }
    parts[part].state.controls[key] = value
  }

  /// `@bend -0.5/8`: semitones, for the default bend range of two.
  private mutating func bend(_ token: ScoreToken, part: Int) throws(ScoreError) {
    let (text, length) = try target(token)
    guard let cents = ScoreDraft.decimal(text, digits: 2), (-200...200).contains(cents) else {
      throw ScoreError(token, "is not a bend", allowed: "semitones, -2…2, as in 0.5 or 0/8")
    }
    // 8192 steps are two semitones; the highest value is one step less.
    let value = min(16383, 8192 + cents * 8192 / 200)
    let channel = parts[part].channel
    let start = parts[part].state.controls[-1] ?? 8192
    var events: [(Int64, Message)] = []
    ramp(from: start, to: value, over: length, at: parts[part].state.position) { tick, value in
      events.append((tick, .bend(channel, UInt16(value))))
    }
    for (tick, message) in events { append(message, part, at: tick) }
    parts[part].state.controls[-1] = value
  }

  private mutating func pedal(_ token: ScoreToken, part: Int) throws(ScoreError) {
    let levels: [String: UInt8] = ["down": 127, "up": 0, "half": 64]
    let channel = parts[part].channel
    if token.text == "change" {
      append(.control(channel, .sustain, value: 0), part)
      // The pedal is pressed again a little later, so that the strings are damped in between.
      let later = parts[part].state.position + max(1, ticksPerWhole / 64)
      append(.control(channel, .sustain, value: 127), part, at: later)
      return
    }
    guard let level = levels[token.text] else {
      throw ScoreError(token, "is not a pedal position", allowed: "down, up, half or change")
    }
    append(.control(channel, .sustain, value: level), part)
  }

  private mutating func mark(
    _ name: String, _ token: ScoreToken, part: Int
  ) throws(ScoreError) {
    guard token.kind == .quoted else {
      throw ScoreError(token, "is not in quotes", allowed: "as in @\(name) \"words\"")
    }
    let tick = parts[part].state.position
    if name == "marker" {
      markers.append((tick, token.text))
    } else {
      parts[part].events.append((tick, .text(name == "lyric" ? .lyric : .text, token.text)))
    }
  }

  /// `@sing "Dai-sy, Dai-sy/give me"`: one syllable for each note; `_` extends the last syllable.
  private mutating func sing(_ token: ScoreToken, part: Int) throws(ScoreError) {
    guard token.kind == .quoted, parts[part].syllables.isEmpty else {
      let left = parts[part].syllables.joined()
      throw ScoreError(
        token,
        token.kind == .quoted
          ? "is too early: '\(left)' is still waiting for notes" : "is not in quotes",
        allowed: "as in @sing \"Dai-sy, give\", one syllable per note")
    }
    parts[part].syllables = Self.syllables(of: token.text)[...]
  }

  /// The syllables as stored in a file: a word ends with a space, a line with a carriage return.
  private static func syllables(of text: String) -> [String] {
    var result: [String] = []
    var syllable = ""
    for character in text + " " {
      switch character {
      case "-", " ", "/":
        let end = character == "-" ? "" : character == "/" ? "\r" : " "
        if !syllable.isEmpty { result.append(syllable + end) }
        syllable = ""
      default: syllable.append(character)
      }
    }
    return result
  }

  /// Adds the next syllable, if any, to the note at the current position.
  mutating func singNext(_ part: Int) {
    guard let syllable = parts[part].syllables.popFirst(), syllable.first != "_" else { return }
    parts[part].events.append((parts[part].state.position, .text(.lyric, syllable)))
  }

  /// `@parameter 0 0.5` sets a parameter; `0.5/1` changes it gradually over a whole note.
  private mutating func moveParameter(
    _ number: UInt32, _ token: ScoreToken, part: Int
  ) throws(ScoreError) {
    let (text, span) = try target(token)
    guard let value = Self.decimal(text, digits: 4) else {
      throw ScoreError(
        token, "is not a valid value", allowed: "as in -0.5; 1/2 changes gradually over a length")
    }
    let position = parts[part].state.position
    if span > 0, let last = parts[part].lastParameter(number), last.tick < position {
      // A ramp begins at the previous event, which must therefore be here.
      var event = last.event
      event.isRamp = true
      parts[part].events.append((position, .parameter(event)))
    }
    let event = ParameterEvent(
      parameter: number, value: Float(value) / 10_000, isRamp: span > 0)
    parts[part].events.append((position + span, .parameter(event)))
  }

  /// `@tempo 96` sets the tempo; `@tempo 60/1` changes it gradually over a whole note.
  private mutating func changeTempo(_ token: ScoreToken, part: Int) throws(ScoreError) {
    let (text, span) = try target(token)
    let goal = try tempo(text, of: token)
    guard frames == nil else {
      throw ScoreError(
        token, "cannot change the length of a frame", allowed: "one tempo, before 'smpte'")
    }
    let position = parts[part].state.position
    try charge(tempi.count / 64, for: token)
    guard span > 0 else { return tempi.append((position, goal)) }
    let now = tempi.filter { $0.tick <= position }.max { $0.tick < $1.tick }?.tempo ?? .standard
    let grid = max(1, ticksPerWhole / 32)
    let steps = max(1, span / grid)
    // Equal steps of the speed in thousandths of a beat per minute, as players slow down.
    let (from, to) = (Self.thousandths(now), Self.thousandths(goal))
    for step in 1...steps {
      let beats = from + (to - from) * step / steps
      let length = Int((60_000_000_000 + beats / 2) / beats)
      guard let tempo = Tempo(microsecondsPerQuarter: length) else { continue }
      tempi.append((position + span * (step - 1) / steps, tempo))
    }
    tempi.append((position + span, goal))
  }

  private static func thousandths(_ tempo: Tempo) -> Int64 {
    6_000_000_000_000 / Int64(tempo.tenNanosecondsPerQuarter)
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages

extension ChannelHistory {
  /// The most messages that one journal can cause, not counting releases of sounding notes.
  static let mostMended = 4_096
  /// The most increments or decrements of one parameter that are repeated.
  static let mostSteps = 127

  /// Returns messages that bring the channel to the state of the sender, and records them.
  ///
  /// - Parameters:
  ///   - journal: The channel's part of the sender's journal.
  ///   - checkpoint: The first packet that the journal covers.
  ///   - before: The last packet received before the loss.
  ///   - packet: The packet with the journal.
  ///   - time: The start of that packet, in units of 100 µs.
  ///   - room: The number of messages still allowed; it is reduced by the number of returned
  ///     messages. Releases of sounding notes are not counted, because earlier packets have paid
  ///     for them.
  /// - Returns: The messages, to be played at once in this order; nil if more messages than allowed
  ///   would be needed. The history is then unchanged.
  mutating func mend(
    by journal: ChannelJournal, since checkpoint: UInt64, lastBefore before: UInt64,
    in packet: UInt64, time: UInt32, room: inout Int
  ) -> [Message]? {
    var mending = Mending(
      history: self, status: journal.channel, packet: packet == 0 ? 0 : packet - 1, time: time,
      room: room)
    let extras = Dictionary(
      journal.extras.map { ($0.key.value, $0) }, uniquingKeysWith: { $1 })
    let logs = Dictionary(
      (journal.notes?.logs ?? []).map { ($0.key.value, $0) }, uniquingKeysWith: { $1 })
    let released = journal.notes?.released ?? 0
    for key in 0..<128 as Range<UInt8> {
      let note = notes[Int(key)]
      guard note.count > 0 else { continue }
      if released >> UInt128(key) & 1 != 0 {
        let extra = extras[key].flatMap { $0.isVelocity ? $0.value : nil }
        mending.end(key, velocity: extra ?? 64, downTo: 0)
      } else if logs[key] == nil {
        // A note that began before the checkpoint and was received may continue.
        guard note.at >= checkpoint || before + 1 < checkpoint else { continue }
        mending.end(key, velocity: 64, downTo: 0)
      } else {
        mending.end(key, velocity: 64, downTo: Self.count(extras[key]))
      }
    }
    if let program = journal.program { mending.mend(program) }
    mending.mend(journal.controls)
    if let parameters = journal.parameters { mending.mend(parameters) }
    if let bend = journal.bend {
      let known = mending.history.bend
      if known?.low != bend.low.value || known?.high != bend.high {
        mending.add(0xE0, bend.low.value, bend.high)
      }
    }
    if let pressure = journal.pressure, mending.history.pressure?.value != pressure.value {
      mending.add(0xD0, pressure.value)
    }
    for log in journal.keyPressures
    where mending.history.keyPressures[log.key.value]?.value != log.pressure {
      mending.add(0xA0, log.key.value, log.pressure)
    }
    for log in journal.notes?.logs ?? [] where log.isRecent && log.velocity > 0 {
      let begun = mending.history.notes[Int(log.key.value)].count
      let wanted = Self.count(extras[log.key.value])
      for _ in begun..<max(begun, wanted) { mending.add(0x90, log.key.value, log.velocity) }
    }
    guard mending.room >= 0 else { return nil }
    (self, room) = (mending.history, mending.room)
    return mending.messages
  }

  /// The number of times that a sounding note was begun.
  private static func count(_ extra: ChannelJournal.Extra?) -> UInt8 {
    guard let extra, !extra.isVelocity else { return 1 }
    return min(max(1, extra.value), mostBegun)
  }

  /// Releases all sounding notes, for a loss that cannot be repaired.
  mutating func endAll(channel: UInt8, in packet: UInt64, time: UInt32) -> [Message] {
    var room = 0
    return mend(
      by: ChannelJournal(channel: channel), since: packet, lastBefore: 0, in: packet, time: time,
      room: &room) ?? []
  }
}

/// A channel history while it is repaired.
private struct Mending {
  var history: ChannelHistory
  let status: UInt8
  // A packet before the checkpoint of peers that have acknowledged the current one.
  let packet: UInt64
  let time: UInt32
  /// The number of messages still allowed; negative if more are needed.
  var room: Int
  var messages: [Message] = []

  mutating func add(_ kind: UInt8, _ data1: UInt8, _ data2: UInt8 = 0) {
    room -= 1
    if room >= 0 { play(kind, data1, data2) }
  }

  private mutating func play(_ kind: UInt8, _ data1: UInt8, _ data2: UInt8) {
    let message = Message(status: kind | status, data1: data1, data2: data2)
    messages.append(message)
    history.record(message, at: packet, time: time)
  }

  mutating func end(_ key: UInt8, velocity: UInt8, downTo count: UInt8) {
    while history.notes[Int(key)].count > count { play(0x80, key, velocity) }
  }

  mutating func mend(_ log: ChannelJournal.Program) {
    guard history.program?.program != log.program.value || history.program?.bank != log.bank
    else { return }
    if let bank = log.bank {
      add(0xB0, 0, bank.high)
      add(0xB0, 32, bank.low)
    }
    add(0xC0, log.program.value)
  }

  mutating func mend(_ logs: [ChannelJournal.Control]) {
    // Controllers listed before the reset have the values from before the reset.
    var isBeforeReset = logs.contains { $0.number.value == 121 && $0.tool == .count }
    for log in logs {
      let number = log.number.value
      switch log.tool {
      case .value:
        let isUnsure = !isBeforeReset && history.unsure >> UInt128(number) & 1 != 0
        if isUnsure || history.value(of: number) != log.value { add(0xB0, number, log.value) }
      case .count:
        if number == 121 { isBeforeReset = false }
        guard history.counts[Int(number)] != log.value else { continue }
        add(0xB0, number, 0)
        history.counts[Int(number)] = log.value
      case .toggles:
        if (history.toggles[Int(number)] ^ log.value) & 1 != 0 {
          add(0xB0, number, (history.value(of: number) ?? 0) >= 64 ? 0 : 127)
        }
        history.toggles[Int(number)] = log.value
      }
    }
  }

  mutating func mend(_ told: ChannelJournal.Parameters) {
    for log in told.latest where room >= 0 {
      let known = history.parameters.last { $0.number == log.number }
      let steps = log.steps.map {
        min(max($0, -ChannelHistory.mostSteps), ChannelHistory.mostSteps)
      }
      if known?.entryHigh == log.entryHigh, known?.entryLow == log.entryLow,
        known?.steps == steps
      {
        continue
      }
      choose(log.number)
      if let high = log.entryHigh { add(0xB0, 6, high) }
      if let low = log.entryLow { add(0xB0, 38, low) }
      let isEntered = log.entryHigh != nil || log.entryLow != nil
      // Both numbers are limited: at most twice `mostSteps` messages.
      let missing = (steps ?? 0) - (isEntered ? 0 : known?.steps ?? 0)
      for _ in 0..<abs(missing) { add(0xB0, missing > 0 ? 96 : 97, 0) }
      history.touch(log.number, at: packet) { parameter in
        (parameter.entryHigh, parameter.entryLow) = (log.entryHigh, log.entryLow)
        parameter.steps = steps
      }
    }
    if told.isChosen, let chosen = told.logs.last?.number {
      if history.choice != .parameter(chosen) { choose(chosen) }
    } else if let pending = told.pending {
      if history.choice != .pending(pending) {
        add(0xB0, pending.isUnregistered ? 99 : 101, pending.high)
      }
    } else if history.choice != .none {
      choose(ParameterNumber(isUnregistered: false, high: 127, low: 127))
    }
  }

  private mutating func choose(_ number: ParameterNumber) {
    add(0xB0, number.isUnregistered ? 99 : 101, number.high)
    add(0xB0, number.isUnregistered ? 98 : 100, number.low)
  }
}

// SPDX-License-Identifier: Apache-2.0

extension ChannelHistory {
  /// The age up to which a lost note is still played, in units of 100 µs.
  static let recent: UInt32 = 2_000

  /// Creates the channel's part of a journal.
  ///
  /// - Parameters:
  ///   - index: The channel, 0…15.
  ///   - checkpoint: The first packet to cover.
  ///   - last: The packet just before the journal's packet.
  ///   - time: The start of the journal's packet, in units of 100 µs.
  /// - Returns: The channel's part, which can be empty.
  func journal(
    of index: UInt8, since checkpoint: UInt64, last: UInt64, time: UInt32
  ) -> ChannelJournal {
    var journal = ChannelJournal(channel: index)
    if let program, program.at >= checkpoint {
      journal.program = ChannelJournal.Program(
        program: JournalValue(program.program, isNew: program.at == last), bank: program.bank)
    }
    journal.controls = controls.filter {
      $0.at >= checkpoint && !isTold($0, by: journal.program?.bank)
    }.map { control in
      let isCounted = Self.isCounted(control.number)
      return ChannelJournal.Control(
        number: JournalValue(control.number, isNew: control.at == last),
        tool: isCounted ? .count : .value,
        value: isCounted ? counts[Int(control.number)] : control.value)
    }
    journal.parameters = parameters(since: checkpoint, last: last)
    if let bend, bend.at >= checkpoint {
      journal.bend = ChannelJournal.Bend(
        low: JournalValue(bend.low, isNew: bend.at == last), high: bend.high)
    }
    tellNotes(in: &journal, since: checkpoint, last: last, time: time)
    if let pressure, pressure.at >= checkpoint {
      journal.pressure = JournalValue(pressure.value, isNew: pressure.at == last)
    }
    journal.keyPressures = keyPressures.filter { $0.value.at >= checkpoint }
      .sorted { $0.key < $1.key }.map { key, pressure in
        ChannelJournal.KeyPressure(
          key: JournalValue(key, isNew: pressure.at == last), pressure: pressure.value)
      }
    return journal
  }

  /// True if the program chapter already contains the value of a bank controller.
  private func isTold(_ control: Control, by bank: ChannelJournal.Bank?) -> Bool {
    guard let bank else { return false }
    return control.number == 0 && control.value == bank.high
      || control.number == 32 && control.value == bank.low
  }

  private func parameters(
    since checkpoint: UInt64, last: UInt64
  ) -> ChannelJournal.Parameters? {
    let logs = parameters.filter { $0.at >= checkpoint }
    guard !logs.isEmpty || chosenAt >= checkpoint else { return nil }
    var told = ChannelJournal.Parameters(
      isNew: chosenAt == last || logs.contains { $0.at == last }, pending: nil, isChosen: false,
      logs: logs.map {
        ChannelJournal.Parameter(
          number: $0.number, isNew: $0.at == last, entryHigh: $0.entryHigh, entryLow: $0.entryLow,
          steps: $0.steps)
      })
    switch choice {
    case .none: break
    case .pending(let pending): told.pending = pending
    case .parameter: told.isChosen = true
    }
    return told
  }

  private func tellNotes(
    in journal: inout ChannelJournal, since checkpoint: UInt64, last: UInt64, time: UInt32
  ) {
    var told = ChannelJournal.Notes(logs: [], released: 0, isReleaseNew: false)
    for (key, note) in notes.enumerated() where note.at >= checkpoint && note.at > 0 {
      let number = JournalValue(UInt8(key), isNew: note.at == last)
      if note.count > 0 {
        told.logs.append(
          ChannelJournal.Note(
            key: number, velocity: note.velocity, isRecent: time &- note.time <= Self.recent))
        guard note.count > 1 else { continue }
        journal.extras.append(
          ChannelJournal.Extra(key: number, isVelocity: false, value: note.count))
      } else {
        told.released |= 1 << UInt128(key)
        if note.at == last { told.isReleaseNew = true }
        guard note.velocity != 64 else { continue }
        journal.extras.append(
          ChannelJournal.Extra(key: number, isVelocity: true, value: note.velocity))
      }
    }
    if !told.logs.isEmpty || told.released != 0 { journal.notes = told }
  }
}

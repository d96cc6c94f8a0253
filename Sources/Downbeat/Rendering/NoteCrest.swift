// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime

/// Counts the most notes that sound at the same time, including pedalled and fading notes.
struct NoteCrest {
  /// The approximate time for which a note sounds after its release, in nanoseconds.
  private static let ringing: Int64 = 400_000_000
  /// The number of past ends at which they are removed from the list.
  private static let endLimit = 4096

  /// The highest number so far.
  private(set) var notes = 0
  private var held = 0
  private var isStruck = [Bool](repeating: false, count: 16 * 128)
  private var isPedalDown = [Bool](repeating: false, count: 16)
  /// The number of notes that only the pedal of a channel holds.
  private var pedalled = [Int](repeating: 0, count: 16)
  /// The times at which released notes end, ascending.
  private var ends: [Int64] = []
  private var endedCount = 0

  /// Adds the next message of a song, at a time in nanoseconds.
  mutating func take(_ message: Message, at time: Int64) {
    let channel = Int(message.status & 0x0F)
    let key = channel << 7 | Int(message.data1 & 0x7F)
    switch message.status & 0xF0 {
    case 0x90 where message.data2 > 0:
      if isStruck[key] { release(channel, at: time) }
      isStruck[key] = true
      held += 1
      forgetEnds(before: time)
      notes = max(notes, held + ends.count - endedCount)
    case 0x80, 0x90:
      if isStruck[key] { release(channel, at: time) }
      isStruck[key] = false
    case 0xB0 where message.data1 == 64:
      isPedalDown[channel] = message.data2 >= 64
      if message.data2 < 64 { letGo(pedalled[channel], at: time, by: channel) }
    default: break
    }
  }

  private mutating func release(_ channel: Int, at time: Int64) {
    pedalled[channel] += 1
    if !isPedalDown[channel] { letGo(1, at: time, by: channel) }
  }

  private mutating func letGo(_ count: Int, at time: Int64, by channel: Int) {
    pedalled[channel] -= count
    held -= count
    ends.append(contentsOf: repeatElement(time + Self.ringing, count: count))
  }

  private mutating func forgetEnds(before time: Int64) {
    while endedCount < ends.count, ends[endedCount] <= time { endedCount += 1 }
    guard endedCount >= Self.endLimit else { return }
    ends.removeFirst(endedCount)
    endedCount = 0
  }
}

extension EnsemblePart {
  /// The least voices of a part, if there are enough voices.
  private static let leastVoices = 8

  /// Divides the voices among parts, by the most notes that sound at the same time in each.
  ///
  /// - Returns: Numbers of voices that add up to `polyphony`, or to the number of parts if that is
  ///   more.
  /// - Complexity: O(n) in the number of events.
  static func voices(
    _ polyphony: Int, of parts: [EnsemblePart], in events: EventBuffer
  ) -> [Int] {
    guard parts.count > 1 else { return parts.map { _ in polyphony } }
    let least = max(1, min(leastVoices, polyphony / parts.count))
    let rest = max(0, polyphony - least * parts.count)
    let notes = parts.map { max(1, $0.crest(in: events)) }
    let all = notes.reduce(0, +)
    var (before, given) = (0, 0)
    return notes.map { notes in
      before += notes
      defer { given = before * rest / all }
      return least + before * rest / all - given
    }
  }

  private func crest(in buffer: EventBuffer) -> Int {
    var crest = NoteCrest()
    let events = buffer.events
    for index in events.indices {
      guard case .message(let message) = events[index].payload,
        port == nil || port == events[index].port,
        channels >> UInt16(message.status & 0x0F) & 1 == 1
      else { continue }
      let isNote = message.status & 0xE0 == 0x80
      guard !isNote || tracks?.contains(events[index].track) ?? true else { continue }
      crest.take(message, at: events[index].time.nanoseconds)
    }
    return crest.notes
  }
}

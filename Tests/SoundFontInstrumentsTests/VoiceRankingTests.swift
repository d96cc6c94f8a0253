// SPDX-License-Identifier: Apache-2.0
import SoundFontInstruments
import TestSupport
import Testing

/// The order in which voices are released, and the number that fits in the time.
@Suite struct VoiceRankingTests {
  private struct Voice {
    let hold: VoiceRanking.Hold
    let velocity: Int
    let note: UInt32
  }

  private static func order(_ voices: [Voice]) -> [Int] {
    var ranking = VoiceRanking(capacity: voices.count)
    for (place, voice) in voices.enumerated() {
      ranking.add(place, hold: voice.hold, velocity: voice.velocity, note: voice.note)
    }
    return (0..<voices.count).compactMap { _ in ranking.takeFirst() }
  }

  @Test func `released voices go first, then pedalled ones, then the quietest held ones`() {
    let voices = [
      Voice(hold: .key, velocity: 100, note: 1), Voice(hold: .key, velocity: 20, note: 9),
      Voice(hold: .key, velocity: 20, note: 2), Voice(hold: .pedal, velocity: 127, note: 8),
      Voice(hold: .pedal, velocity: 1, note: 10), Voice(hold: .none, velocity: 127, note: 12),
      Voice(hold: .none, velocity: 1, note: 13),
    ]
    #expect(Self.order(voices) == [5, 6, 3, 4, 2, 1, 0])
  }

  @Test(arguments: [1, 2, 3, 17, 512] as [UInt64])
  func `any number of voices are in sorted order`(count: UInt64) {
    var random = SplitMix(seed: count)
    let holds = [VoiceRanking.Hold.none, .pedal, .key]
    let voices = (0..<count).map { note in
      Voice(
        hold: holds[Int(random.next() % 3)], velocity: Int(random.next() % 128),
        note: UInt32(note))
    }
    let key = { (voice: Voice) in
      (voice.hold.rawValue, voice.hold == .key ? voice.velocity : 0, voice.note)
    }
    let sorted = voices.indices.sorted { key(voices[$0]) < key(voices[$1]) }
    #expect(Self.order(voices) == sorted)
  }

  @Test func `a ranking ignores voices above its capacity`() {
    var ranking = VoiceRanking(capacity: 2)
    for place in 0..<3 { ranking.add(place, hold: .none, velocity: 64, note: UInt32(place)) }
    #expect(ranking.count == 2)
    ranking.removeAll()
    #expect(ranking.takeFirst() == nil)
  }

  @Test(arguments: [300, 1000, 5000, 40_000])
  func `the number of voices fits the available time`(cost: Int) {
    var budget = VoiceBudget(polyphony: 512, work: 933_333)
    #expect(budget.limit == 512)
    for _ in 0..<500 {
      budget.take(nanoseconds: Int64(cost * budget.limit), voiceCount: budget.limit)
    }
    #expect(abs(budget.limit - min(512, max(16, 933_333 / cost))) <= 1)
  }

  @Test func `one delayed quantum costs few voices, and a low count changes nothing`() {
    var budget = VoiceBudget(polyphony: 4096, work: 1_000_000)
    for _ in 0..<500 { budget.take(nanoseconds: 1_000_000, voiceCount: 1000) }
    let before = budget.limit
    budget.take(nanoseconds: 50_000_000, voiceCount: 1000)
    #expect(budget.limit >= before * 9 / 10)
    let after = budget.limit
    budget.take(nanoseconds: 50_000_000, voiceCount: 15)
    #expect(budget.limit == after)
  }
}

// SPDX-License-Identifier: Apache-2.0

extension SoundModule {
  /// Ends the voices that have faded since their release.
  ///
  /// Call it before the quantum's events, which may reuse these voices.
  @_noAllocation @_noLocks
  mutating func endFaded() {
    for index in 0..<fadedCount {
      unsafe synth.end(faded[index])
    }
    fadedCount = 0
  }

  /// Releases the voices beyond a limit, by their ranking, in the next quantum.
  ///
  /// Voices that were already released are not counted.
  ///
  /// - Complexity: O(n log n) in the number of voices, if there are too many.
  @_noAllocation @_noLocks
  mutating func shed(to limit: Int) {
    guard synth.activeVoiceCount() > limit else { return }
    let count = unsafe synth.listVoices(voices, capacity: polyphony)
    ranking.removeAll()
    for index in 0..<count {
      let voice = unsafe voices[index]
      guard !synth.isFading(voice) else { continue }
      let isDrum = unsafe channels[synth.place(of: voice).channel & 0x0F].isDrums
      ranking.add(
        index, hold: isDrum ? .key : synth.hold(of: voice), velocity: synth.velocity(of: voice),
        note: synth.note(of: voice))
    }
    for _ in 0..<max(0, ranking.count &- limit) {
      guard let index = ranking.takeFirst() else { return }
      let voice = unsafe voices[index]
      synth.fade(voice)
      unsafe faded[fadedCount] = voice
      fadedCount &+= 1
      shedVoiceCount &+= 1
    }
  }
}

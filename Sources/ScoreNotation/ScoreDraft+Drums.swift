// SPDX-License-Identifier: Apache-2.0
import MIDIMessages

extension ScoreDraft {
  /// A drum and its steps.
  struct Lane {
    let key: Int
    let steps: [Character]
    let token: ScoreToken
  }

  /// Reads drums that play together: `kick x--- snare --x-`.
  func takeLanes(_ rest: inout ArraySlice<ScoreToken>) throws(ScoreError) -> [Lane] {
    var lanes: [Lane] = []
    while let name = rest.first, name.isWord, let key = GeneralMIDI.shortDrumNames[name.text] {
      rest.removeFirst()
      guard let grid = rest.popFirst(), grid.isWord else {
        throw ScoreError(name, "needs steps after it", allowed: Percussion.stepForm)
      }
      for step in grid.text where Percussion.velocity(of: step, plain: 96) == nil {
        throw ScoreError(
          grid, "contains '\(step)', which is not a step", allowed: Percussion.stepForm)
      }
      lanes.append(Lane(key: Int(key), steps: Array(grid.text), token: grid))
    }
    return lanes
  }

  /// Plays drums together.
  ///
  /// A shorter lane repeats until the longest has ended.
  mutating func playLanes(_ lanes: [Lane], part: Int) throws(ScoreError) {
    let count = lanes.map(\.steps.count).max() ?? 0
    let (start, step) = (parts[part].state.position, parts[part].state.step)
    let velocity = parts[part].state.velocity
    if let token = lanes.first?.token { try charge(count * lanes.count, for: token) }
    for index in 0..<count {
      let tick = start + Int64(index) * step
      let plain = Int(velocity.value(at: tick))
      for lane in lanes {
        let mark = lane.steps[index % lane.steps.count]
        guard let value = Percussion.velocity(of: mark, plain: plain) ?? nil else { continue }
        parts[part].notes.append(
          PartDraft.DraftNote(
            start: tick, length: step, key: lane.key, velocity: Int64(value), gate: 90,
            channel: parts[part].channel, feel: parts[part].feel))
      }
    }
    parts[part].state.lastNotes = 0..<0
    if let token = lanes.first?.token {
      try advance(part, by: Int64(count) * step, at: token)
    }
  }
}

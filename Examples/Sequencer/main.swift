// SPDX-License-Identifier: Apache-2.0
// A bar of drums in a loop, which you edit during playback: sequencer FONT.sf2
import ALSAAudio
import ClockService
import Downbeat
import MIDIMessages
import MusicSequences
import MusicalTime

/// Sixteen steps, and earlier versions for undo: a song is a value, so a copy keeps it.
struct Pattern {
  static let step: Int64 = 120
  static let end = Tick(16 * step)

  var song = MusicSequence()
  private var past: [MusicSequence] = []

  init() throws {
    var drums = MusicTrack()
    drums.explicitLength = Self.end
    song.tracks = [drums]
    for step: Int64 in [1, 5, 9, 13] { try toggle(36, at: step) }
    past = []
  }

  mutating func toggle(_ key: Key, at step: Int64) throws {
    guard (1...16).contains(step) else { throw Mistake(text: "use steps 1 to 16") }
    past.append(song)
    let tick = Tick((step - 1) * Self.step)
    let hit = Note(10, key, velocity: 100, duration: Self.step / 2)
    if let old = song.tracks[0].events.firstIndex(of: TrackEvent(.note(hit), at: tick)) {
      song.tracks[0].remove(at: old)
    } else {
      try song.tracks[0].insert(.note(hit), at: tick)
    }
  }

  mutating func undo() { song = past.popLast() ?? song }
}

struct Mistake: Error, CustomStringConvertible {
  let text: String
  var description: String { text }
}

func perform(_ words: [String], _ pattern: inout Pattern, _ playback: Playback) async throws {
  switch (words[0], words.dropFirst().compactMap(Int64.init)) {
  case ("undo", _): pattern.undo()
  case ("tempo", let numbers) where numbers.count == 1:
    try pattern.song.setTempo(Tempo(beatsPerMinute: Ratio(numbers[0])), at: .zero)
  case ("save", _) where words.count == 2:
    return try OutputFile(path: words[1], overwrite: true)
      .write(SMFWriter().write(pattern.song))
  case (_, let steps) where !steps.isEmpty:
    guard let number = UInt8(words[0]), number < 128 else {
      throw Mistake(text: "unknown command (keys are 0 to 127)")
    }
    for step in steps { try pattern.toggle(Key(number), at: step) }
  default: throw Mistake(text: "commands: KEY STEP…, tempo NUMBER, undo, save FILE")
  }
  try await playback.edit { $0 = pattern.song }.effect()
}

func play(with font: String) async throws {
  var pattern = try Pattern()
  let session = try Session(pattern.song, settings: SessionSettings(soundFont: font))
  var options = PlaybackOptions()
  options.loop = LoopRange(start: .zero, end: Pattern.end)
  let playback = try session.play(on: ALSAOutputUnit(), options: options)
  print("KEY STEP… adds or removes hits; tempo NUMBER, undo, save FILE; Return quits")
  while let line = readLine(), !line.isEmpty {
    do {
      try await perform(line.split(separator: " ").map(String.init), &pattern, playback)
      print(pattern.song.tracks[0].count, "hits")
    } catch {
      print(error)
    }
  }
  playback.end(draining: true)
}

let words = CommandLine.arguments.dropFirst()
if words.count == 1 {
  do {
    try await play(with: words[1])
  } catch {
    print(error)
  }
} else {
  print("usage: sequencer FONT.sf2")
}

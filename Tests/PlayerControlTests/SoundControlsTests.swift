// SPDX-License-Identifier: Apache-2.0
import ClipPlayback
import MusicalTime
import TestSupport
import Testing

@testable import PlayerControl

/// The controls of two sound files of 20 s, without an output.
///
/// The position is that of the last locate.
@Suite struct SoundControlsTests {
  private let scratch: ScratchFolder
  private let controls: SoundControls

  init() throws {
    scratch = try ScratchFolder()
    let rate = try #require(SampleRate(hertz: 8000))
    let path = try scratch.write(
      "sound.wav", WaveBytes.file(frames: 160_000, channels: 1, rate: 8000) { _, _ in 0.125 })
    let player = AudioPlayer(rate: .hertz48000)
    for _ in 0..<2 { try player.append(path: path) }
    let item = SoundControls.Item(name: "sound.wav", start: 0, end: 20, rate: rate)
    controls = SoundControls(player, [item, item])
    // Without an output the player does not move: the position of a locate is used for an hour.
    controls.state.settling = 3_600_000_000_000
  }

  @Test func `positions are limited to the file, and locates are counted`() throws {
    for (text, seconds) in [("12.5", 12.5), ("50%", 10), ("+2", 12), ("-99", 0), ("9:00", 20)] {
      try controls.execute(.locate(SeekTime(parsing: text)))
      #expect(controls.status.seconds == seconds, "\(text)")
    }
    try controls.execute(.skipSeconds(-5))
    #expect(controls.status.seconds == 15 && controls.status.seekCount == 6)
    controls.go(to: 0.25)
    #expect(controls.status.seconds == 5 && controls.status.duration == 20)
  }

  @Test func `stop is a pause at the start until the next command`() throws {
    try controls.execute(.setPaused(true))
    #expect(controls.status.state == .paused)
    try controls.execute(.locate(SeekTime(parsing: "3")))
    try controls.execute(.stop)
    #expect(controls.status.state == .stopped && controls.status.seconds == 0)
    try controls.execute(.togglePause)
    #expect(controls.status.state == .playing && !controls.status.isPaused)
  }

  @Test func `files are skipped, and past the last one the player ends`() throws {
    try controls.execute(.skipFiles(-1))
    #expect(controls.status.index == 0 && !controls.hasEnded)
    try controls.execute(.goToFile(1))
    #expect(controls.status.index == 1 && controls.status.count == 2)
    #expect(throws: ControlError.self) { try controls.execute(.goToFile(2)) }
    #expect(controls.message == "file 3: not in the list, which has 2 files" && !controls.hasEnded)
    try controls.execute(.skipFiles(1))
    #expect(controls.hasEnded)
  }

  @Test func `volume, speed and loop are set by the last command`() throws {
    try controls.execute(.setVolume(-6))
    #expect(controls.message == "volume −6 dB")
    try controls.execute(.changeVolume(-100))
    #expect(controls.status.volume == -60)
    try controls.execute(.setSpeed(2))
    #expect(controls.status.speed == 2)
    try controls.execute(.resetSpeed)
    #expect(controls.status.speed == 1)
    try controls.execute(.setLoop(SeekTime(parsing: "5"), SeekTime(parsing: "5.5")))
    #expect(controls.status.loop == PlayStatus.Loop(start: 5, end: 5.5))
    #expect(controls.status.seconds == 5)
    #expect(throws: ControlError.self) {
      try controls.execute(.setLoop(SeekTime(parsing: "5"), SeekTime(parsing: "5")))
    }
    #expect(controls.status.loop == nil)
  }
}

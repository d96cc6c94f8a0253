// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import ClipPlayback
import MusicalTime
import TestSupport
import Testing

@Suite struct SystemSoundTests {
  private let rate: SampleRate
  private let folder: ScratchFolder

  init() throws {
    rate = try #require(SampleRate(hertz: 48_000))
    folder = try ScratchFolder()
  }

  private func write(
    _ samples: [Float], channelCount: Int = 1, hertz: Int = 48_000, name: String = "a.wav"
  ) throws -> String {
    let writer = try SoundFileWriter(
      path: folder.path(name), format: SoundFileFormat(.wav, .float32), channelCount: channelCount,
      rate: #require(SampleRate(hertz: hertz)))
    try writer.write(samples.span)
    try writer.finish()
    return folder.path(name)
  }

  @Test func `a clip uses 8 bytes per frame, or 4 with one channel`() throws {
    let mono = try SystemSound(path: write([Float](repeating: 0, count: 1000)), rate: rate)
    #expect(mono.frameCount == 1000)
    #expect(mono.residentBytes == 4000)
    let path = try write([Float](repeating: 0, count: 6000), channelCount: 6, hertz: 24_000)
    let wide = try SystemSound(path: path, rate: rate)
    #expect(wide.frameCount == 2000)
    #expect(wide.residentBytes == 16_000)
  }

  @Test func `31 s are refused with a remedy, and 30 s are accepted`() throws {
    let path = try write([Float](repeating: 0, count: 8000 * 31), hertz: 8000)
    let error = #expect(throws: ClipError.tooLong(path: path, seconds: 31)) {
      try SystemSound(path: path, rate: rate)
    }
    #expect(error?.description.hasSuffix("at most 30 s (use an audio player)") == true)
    let longest = try write([Float](repeating: 0, count: 8000 * 30), hertz: 8000, name: "b.wav")
    #expect(try SystemSound(path: longest, rate: rate).frameCount == 1_440_000)
  }

  @Test func `files that cannot be clips are refused with a message`() throws {
    let empty = try write([])
    #expect(throws: ClipError.empty(path: empty)) { try SystemSound(path: empty, rate: rate) }
    let wide = try write([Float](repeating: 0, count: 1000), channelCount: 1000, name: "b.wav")
    #expect(throws: ClipError.tooManyChannels(path: wide, count: 1000)) {
      try SystemSound(path: wide, rate: rate)
    }
    let slow = try write([0, 0], hertz: 7, name: "c.wav")
    #expect(
      throws: ClipError.unreadable(.impossibleRateChange(from: 7, to: 48_000))
    ) { try SystemSound(path: slow, rate: rate) }
    try folder.write("no sound", to: "d.wav")
    #expect(throws: ClipError.self) { try SystemSound(path: folder.path("d.wav"), rate: rate) }
  }

  @Test(arguments: AlertSound.allCases)
  func `an alert is the same every time, short, and within full scale`(alert: AlertSound) throws {
    let sound = alert.sound(rate: rate)
    #expect(sound.frameCount > 4800)
    #expect(sound.frameCount < 2 * 48_000)
    #expect(alert.sound(rate: rate).frameCount == sound.frameCount)
  }
}

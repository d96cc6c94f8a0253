// SPDX-License-Identifier: Apache-2.0
import ClipPlayback
import MusicalTime
import Testing

extension AudioPlayerTests {
  @Test func `Repeats of a long sound change during playback without a fade`() throws {
    let player = AudioPlayer(rate: rate)
    let rig = try Rig(player, rate: rate)
    try player.append(path: file("a.wav", 100_000))
    player.start()
    rig.render(20)
    #expect(player.setRepeats(1))
    rig.render(3200)
    let pass = Array(1...100_000)
    #expect(numbers(rig.left[..<200_000]).elementsEqual(pass + pass))
    #expect(rig.left[200_000...].allSatisfy { $0 == 0 })
    #expect(!player.isPlaying)
  }

  @Test(arguments: [(0, 1), (2, 3)])
  func `Repeats of a short sound change although more was read ahead`(
    repeats: Int, passes: Int
  ) throws {
    let player = AudioPlayer(rate: rate)
    let rig = try Rig(player, rate: rate)
    try player.append(path: file("a.wav", 3000), repeats: nil)
    player.start()
    rig.render(10)
    #expect(player.setRepeats(repeats))
    rig.render(300)
    #expect(!player.isPlaying)
    #expect(numbers(rig.left).count { $0 == 2500 } == passes)
  }

  @Test func `Repeats are set before the start, and without a sound`() throws {
    let player = AudioPlayer(rate: rate)
    #expect(!player.setRepeats(1))
    let rig = try Rig(player, rate: rate)
    try player.append(path: file("a.wav", 500))
    #expect(player.setRepeats(-7) && player.setRepeats(2))
    player.start()
    rig.render(40)
    #expect(numbers(rig.left[..<1500]) == Array(1...500) + Array(1...500) + Array(1...500))
    #expect(rig.left[1500...].allSatisfy { $0 == 0 })
  }

  @Test func `A loop continues when repeats are set, and they apply after it`() throws {
    let player = AudioPlayer(rate: rate)
    let rig = try Rig(player, rate: rate)
    try player.append(path: file("a.wav", 3000), repeats: nil)
    #expect(player.setLoop(SampleTime(frames: 0)..<SampleTime(frames: 1000)) != nil)
    player.start()
    rig.render(40)
    #expect(player.setRepeats(0))
    rig.render(100)
    #expect(player.isPlaying && numbers(rig.left).allSatisfy { $0 <= 1000 })
    player.setLoop(nil)
    rig.render(100)
    #expect(!player.isPlaying && numbers(rig.left).count { $0 == 2900 } == 1)
  }
}

extension AudioPlayerTests {
  @Test func `A gain changes linearly over its duration`() throws {
    let player = AudioPlayer(rate: rate)
    let rig = try Rig(player, rate: rate)
    player.schedule([Float](repeating: 1, count: 2 * 20_000))
    player.start()
    rig.render(10)
    player.setGain(0, over: 0.1)
    rig.render(100)
    let fade = rig.left[640..<5440]
    for (index, sample) in fade.enumerated() {
      #expect(abs(sample - (1 - Float(index) / 4800)) < 0.001)
    }
    #expect(rig.left[5440...].allSatisfy { $0 == 0 })
    player.setGain(.nan, over: .nan)
    #expect(player.gain == 0)
    player.setGain(99, over: -1)
    #expect(player.gain == 16)
  }
}

// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Foundation
import Synchronization
import TestSupport
import Testing

/// Players of sounds, as programs for Apple's systems use them.
@Suite struct AVAudioPlayerTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private final class Listener: NSObject, AVAudioPlayerDelegate, Sendable {
    let ends = Mutex<[Bool]>([])
    let errors = Mutex(0)

    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
      ends.withLock { $0.append(flag) }
    }

    func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {
      if error != nil { errors.withLock { $0 += 1 } }
    }
  }

  /// A delegate without methods.
  private final class Silent: NSObject, AVAudioPlayerDelegate {}

  private static func code(_ error: (any Error)?) -> Int? { (error as? NSError)?.code }

  @Test func `Missing files, other files and other addresses are refused with Apple's codes`()
    throws
  {
    let text = folder.path("text.wav")
    try Data("This is not a sound.".utf8).write(to: URL(fileURLWithPath: text))
    let missing = #expect(throws: NSError.self) {
      try AVAudioPlayer(contentsOf: URL(fileURLWithPath: "/no/such/file.wav"))
    }
    #expect(missing?.domain == NSOSStatusErrorDomain && missing?.code == -43)
    let other = #expect(throws: NSError.self) {
      try AVAudioPlayer(contentsOf: URL(fileURLWithPath: text))
    }
    #expect(other?.code == 0x7479_703F)
    let address = #expect(throws: NSError.self) {
      try AVAudioPlayer(contentsOf: #require(URL(string: "http://127.0.0.1:1/a.wav")))
    }
    #expect(address?.code == 0x7479_703F)
    #expect(throws: NSError.self) { try AVAudioPlayer(data: Data()) }
  }

  @Test func `Properties before playing`() throws {
    let url = try PlayedFiles.tone(seconds: 0.5, channels: 2, in: folder)
    let player = try AVAudioPlayer(contentsOf: url, fileTypeHint: "public.wav")
    #expect(player.url == url && player.data == nil)
    #expect(player.duration == 0.5 && player.numberOfChannels == 2)
    #expect(player.volume == 1 && player.pan == 0 && player.rate == 1 && !player.enableRate)
    #expect(player.numberOfLoops == 0 && player.currentTime == 0 && !player.isPlaying)
    let bytes = try Data(contentsOf: url)
    let other = try AVAudioPlayer(data: bytes)
    #expect(other.url == nil && other.data == bytes && other.duration == 0.5)
  }

  @Test func `Settings are held in their ranges`() throws {
    let player = try AVAudioPlayer(contentsOf: PlayedFiles.tone(in: folder))
    player.volume = -1
    #expect(player.volume == 0)
    player.volume = 0.25
    player.pan = 7
    player.rate = 9
    #expect(player.volume == 0.25 && player.pan == 1 && player.rate == 2)
    player.rate = .nan
    player.pan = .nan
    #expect(player.rate == 1 && player.pan == 0)
    player.setVolume(0.5, fadeDuration: .infinity)
    #expect(player.volume == 0.5)
    player.numberOfLoops = .min
    #expect(player.numberOfLoops == .min)
    player.numberOfLoops = .max
    player.currentTime = 0.05
    #expect(player.currentTime == 0.05)
    player.numberOfLoops = 3
    #expect(player.currentTime == 0.05)
    for time in [-1.0, .nan, .infinity] {
      player.currentTime = time
      #expect(player.currentTime == 0 || player.currentTime == player.duration)
    }
  }

  @Test func `A sound is played to its end, and then from the beginning`() async throws {
    let player = try AVAudioPlayer(contentsOf: PlayedFiles.tone(in: folder))
    let listener = Listener()
    player.delegate = listener
    #expect(player.prepareToPlay())
    for pass in 1...2 {
      #expect(player.play() && player.isPlaying && player.play())
      #expect(await PlayedFiles.wait { listener.ends.withLock { $0.count } == pass })
      #expect(!player.isPlaying && player.currentTime == 0)
    }
    #expect(listener.ends.withLock { $0 } == [true, true])
    #expect(listener.errors.withLock { $0 } == 0)
    player.stop()
  }

  @Test func `An endless sound plays until it is paused, and keeps its position`() async throws {
    let player = try AVAudioPlayer(contentsOf: PlayedFiles.tone(in: folder))
    let listener = Listener()
    player.delegate = listener
    player.numberOfLoops = -1
    #expect(player.play())
    let start = player.deviceCurrentTime
    #expect(await PlayedFiles.wait { player.deviceCurrentTime > start + 0.5 })
    #expect(player.isPlaying)
    player.numberOfLoops = 0
    #expect(await PlayedFiles.wait { !player.isPlaying })
    #expect(await PlayedFiles.wait { listener.ends.withLock { $0 } == [true] })
    player.currentTime = 0.05
    player.pause()
    #expect(!player.isPlaying && abs(player.currentTime - 0.05) < 0.001)
    player.stop()
    #expect(abs(player.currentTime - 0.05) < 0.001)
    #expect(listener.ends.withLock { $0 } == [true])
  }

  @Test func `A start in the future waits, and a stop takes it back`() async throws {
    let player = try AVAudioPlayer(contentsOf: PlayedFiles.tone(in: folder))
    let listener = Listener()
    player.delegate = listener
    #expect(player.prepareToPlay())
    #expect(player.play(atTime: player.deviceCurrentTime + 3600))
    let now = player.deviceCurrentTime
    #expect(await PlayedFiles.wait { player.deviceCurrentTime > now + 0.2 })
    #expect(player.isPlaying && player.currentTime == 0)
    player.stop()
    #expect(!player.isPlaying)
    #expect(player.play(atTime: player.deviceCurrentTime + 0.05))
    #expect(await PlayedFiles.wait { listener.ends.withLock { $0 } == [true] })
    for time in [-Double.infinity, .nan, .infinity] {
      #expect(player.play(atTime: time))
      player.stop()
    }
  }

  @Test func `Any number of settings before a start do not prevent it`() async throws {
    let player = try AVAudioPlayer(contentsOf: PlayedFiles.tone(seconds: 1, in: folder))
    let listener = Listener()
    player.delegate = listener
    for index in 0..<300 {
      player.volume = Float(index) / 300
      player.pan = Float(index) / 300
      player.rate = 1
      player.numberOfLoops = index % 2
      player.currentTime = 0.95 * Double(index) / 299
      player.pause()
    }
    player.numberOfLoops = 0
    #expect(abs(player.currentTime - 0.95) < 0.001)
    #expect(player.play() && player.currentTime > 0.9)
    #expect(await PlayedFiles.wait { listener.ends.withLock { $0 } == [true] })
  }

  @Test func `Meters show the level after an update`() async throws {
    let player = try AVAudioPlayer(contentsOf: PlayedFiles.tone(seconds: 20, in: folder))
    #expect(player.peakPower(forChannel: 0) == -160)
    player.play()
    player.updateMeters()
    #expect(player.averagePower(forChannel: 0) == -160)
    player.isMeteringEnabled = true
    #expect(
      await PlayedFiles.wait {
        player.updateMeters()
        return abs(player.peakPower(forChannel: 0) + 6) < 1
          && abs(player.averagePower(forChannel: 0) + 9) < 1.5
      })
    for channel in [1, -1, .max] { #expect(player.peakPower(forChannel: channel) == -160) }
    player.stop()
  }

  @Test func `A file that ends too early finishes without success`() async throws {
    let url = try PlayedFiles.tone(seconds: 2, in: folder)
    let player = try AVAudioPlayer(contentsOf: url)
    let listener = Listener()
    player.delegate = listener
    let handle = try FileHandle(forWritingTo: url)
    try handle.truncate(atOffset: 2000)
    try handle.close()
    #expect(player.play())
    #expect(await PlayedFiles.wait { !listener.ends.withLock { $0.isEmpty } })
    #expect(listener.ends.withLock { $0 } == [false] && listener.errors.withLock { $0 } == 1)
  }

  @Test func `Rates change the time that a sound takes, or the library is missing`() async throws {
    let player = try AVAudioPlayer(contentsOf: PlayedFiles.tone(seconds: 0.4, in: folder))
    let listener = Listener()
    player.delegate = listener
    player.enableRate = true
    player.rate = 2
    #expect(player.play())
    #expect(await PlayedFiles.wait { listener.ends.withLock { $0 } == [true] })
    #expect(player.play(atTime: player.deviceCurrentTime + 0.1))
    player.rate = 0.5
    #expect(await PlayedFiles.wait { listener.ends.withLock { $0.count } == 2 })
  }

  @Test func `Delegates are optional and not retained, and players end with their last reference`()
    async throws
  {
    let url = try PlayedFiles.tone(seconds: 10, in: folder)
    var player: AVAudioPlayer? = try AVAudioPlayer(contentsOf: url)
    var silent: Silent? = Silent()
    player?.delegate = silent
    #expect(player?.delegate != nil)
    silent = nil
    #expect(player?.delegate == nil)
    #expect(player?.play() == true)
    weak let old = player
    player = nil
    #expect(await PlayedFiles.wait { old == nil })
  }

  @Test func `Random calls from two threads do no harm`() async throws {
    let players = try (0..<4).map { index in
      let player = try AVAudioPlayer(contentsOf: PlayedFiles.tone(seconds: 0.05, in: folder))
      player.enableRate = index == 3
      player.isMeteringEnabled = true
      return player
    }
    await withTaskGroup(of: Void.self) { group in
      for seed in 1...2 as ClosedRange<UInt64> {
        group.addTask {
          var random = SplitMix(seed: seed)
          for _ in 0..<300 { Self.call(players[Int(random.next() % 4)], &random) }
        }
      }
    }
    for player in players { player.stop() }
    #expect(players.allSatisfy { !$0.isPlaying })
  }

  private static func call(_ player: AVAudioPlayer, _ random: inout SplitMix) {
    let value = Double(random.next() % 1000) / 500 - 0.5
    switch random.next() % 14 {
    case 0: player.play()
    case 1: player.pause()
    case 2: if random.next() % 8 == 0 { player.stop() }
    case 3: player.currentTime = value
    case 4: player.play(atTime: player.deviceCurrentTime + value)
    case 5: player.volume = Float(value)
    case 6: player.pan = Float(value)
    case 7: player.rate = Float(value)
    case 8: player.numberOfLoops = Int(value * 4)
    case 9: player.updateMeters()
    case 10: _ = player.peakPower(forChannel: Int(value))
    case 11: player.setVolume(Float(value), fadeDuration: value)
    case 12: _ = player.currentTime + player.duration
    default: player.prepareToPlay()
    }
  }
}

/// Random numbers that are the same in each run.
private struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}

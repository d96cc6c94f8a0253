// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioProcessing
import ClipPlayback
import MusicalTime
import Synchronization
import TestSupport
import Testing

@Suite struct AudioPlayerTests {
  let rate: SampleRate
  let folder: ScratchFolder

  init() throws {
    rate = try #require(SampleRate(hertz: 48_000))
    folder = try ScratchFolder()
  }

  /// Players in a mixer.
  ///
  /// The disk is read before each quantum, so that renders are exact.
  final class Rig {
    let players: [AudioPlayer]
    private let plan: RenderPlan
    private(set) var left: [Float] = []

    init(_ players: AudioPlayer..., rate: SampleRate) throws {
      self.players = players
      let mixer = MixerUnit(stripCount: players.count, rate: rate)
      var graph = AudioGraph()
      let head = graph.add(mixer)
      for (index, player) in players.enumerated() {
        try graph.connect(graph.add(player), to: head, input: index)
      }
      try graph.setHead(head)
      plan = try graph.compile()
    }

    func render(_ quanta: Int, filling: Bool = true) {
      for _ in 0..<quanta {
        for player in players where filling { player.fill() }
        plan.render(at: SampleTime(frames: Int64(left.count)))
        for frame in 0..<64 { left.append(plan.output[0, frame]) }
      }
    }

    func renderSilently(_ quanta: Int) {
      for quantum in 0..<quanta {
        plan.render(at: SampleTime(frames: Int64(left.count + 64 * quantum)))
      }
    }
  }

  /// A mono file whose samples count up, each with a distinct value.
  func file(_ name: String, _ count: Int, from first: Int = 1, hertz: Int = 48_000) throws
    -> String
  {
    let samples = (first..<first + count).map { Float($0) / 1_048_576 }
    let writer = try SoundFileWriter(
      path: folder.path(name), format: SoundFileFormat(.wav, .float32), channelCount: 1,
      rate: #require(SampleRate(hertz: hertz)))
    try writer.write(samples.span)
    try writer.finish()
    return folder.path(name)
  }

  /// The rendered samples as the numbers in the files.
  func numbers(_ samples: some Sequence<Float>) -> [Int] {
    samples.map { Int(($0 * 1_048_576).rounded()) }
  }

  @Test func `a part is looped exactly, and then the rest is played`() throws {
    let player = AudioPlayer(rate: rate)
    let rig = try Rig(player, rate: rate)
    try player.append(path: file("a.wav", 3000))
    try player.append(path: file("b.wav", 1000, from: 10_001))
    #expect(player.setLoop(SampleTime(frames: 3000)..<SampleTime(frames: 4000)) == nil)
    #expect(player.setLoop(SampleTime(frames: 500)..<SampleTime(frames: 1500)) != nil)
    player.start()
    rig.render(60)
    let heard = numbers(rig.left)
    // The position was before the part, so playback continues at its start.
    let first = try #require(heard.firstIndex(of: 1000))
    let part = Array(1000...1500) + Array(501...1500) + Array(501...1500)
    #expect(Array(heard[first..<first + part.count]) == part)
    #expect(heard.allSatisfy { $0 <= 1500 })
    #expect(player.setLoop(nil) != nil)
    rig.render(90)
    let rest = numbers(rig.left)
    let end = try #require(rest.firstIndex(of: 2000))
    #expect(Array(rest[end..<end + 2001]) == Array(2000...3000) + Array(10_001...11_000))
  }

  @Test func `a file is played bit for bit, from its start frame`() throws {
    let player = AudioPlayer(rate: rate)
    let rig = try Rig(player, rate: rate)
    try player.append(path: file("a.wav", 100_000))
    player.start(at: SampleTime(frames: 1001))
    rig.render(1600)
    #expect(numbers(rig.left[..<1001]).allSatisfy { $0 == 0 })
    #expect(numbers(rig.left[1001..<101_001]) == Array(1...100_000))
    #expect(numbers(rig.left[101_001...]).allSatisfy { $0 == 0 })
    #expect(!player.isPlaying)
    #expect(player.underrunCount == 0)
  }

  @Test func `files follow one another without a gap`() throws {
    let player = AudioPlayer(rate: rate)
    let rig = try Rig(player, rate: rate)
    try player.append(path: file("a.wav", 3001))
    try player.append(path: file("b.wav", 77, from: 3002))
    try player.append(path: file("c.wav", 2000, from: 3079))
    player.start()
    rig.render(90)
    #expect(numbers(rig.left[..<5078]) == Array(1...5078))
  }

  @Test func `a part is repeated the requested number of times, without a gap`() throws {
    let player = AudioPlayer(rate: rate)
    let rig = try Rig(player, rate: rate)
    let range = SampleTime(frames: 100)..<SampleTime(frames: 150)
    try player.append(path: file("a.wav", 1000), range: range, repeats: 3)
    player.start()
    rig.render(10)
    let part = Array(101...150)
    #expect(numbers(rig.left[..<200]) == part + part + part + part)
    #expect(numbers(rig.left[200...]).allSatisfy { $0 == 0 })
  }

  @Test func `players that start at the same frame play in sync`() throws {
    let one = AudioPlayer(rate: rate)
    let other = AudioPlayer(rate: rate)
    let rig = try Rig(one, other, rate: rate)
    try one.append(path: file("a.wav", 500))
    try other.append(path: file("b.wav", 500))
    one.start(at: SampleTime(frames: 130))
    other.start(at: SampleTime(frames: 130))
    rig.render(20)
    #expect(numbers(rig.left[130..<630]) == (1...500).map { 2 * $0 })
  }

  @Test func `buffers start at their frames, with silence before`() throws {
    let player = AudioPlayer(rate: rate)
    let rig = try Rig(player, rate: rate)
    let click: [Float] = [1, 1]
    player.schedule(click, at: SampleTime(frames: 100))
    player.schedule(click)
    player.schedule(click, at: SampleTime(frames: 5000))
    player.start()
    rig.render(100)
    #expect(rig.left.indices.filter { rig.left[$0] != 0 } == [100, 101, 5000])
    #expect(player.lateCount == 0)
  }

  @Test func `a pause fades and keeps the position, and play continues there`() throws {
    let player = AudioPlayer(rate: rate)
    let rig = try Rig(player, rate: rate)
    try player.append(path: file("a.wav", 100_000))
    player.start()
    rig.render(100)
    player.stop()
    rig.render(20)
    #expect(!player.isPlaying)
    #expect(numbers(rig.left.suffix(64)).allSatisfy { $0 == 0 })
    let position = player.position
    #expect(position.frame.frames >= 6400 && position.frame.frames < 6400 + 320)
    player.start()
    rig.render(10)
    #expect(numbers(rig.left.suffix(1)) == [Int(position.frame.frames) + 640])
  }

  @Test func `a play at a frame during the fade of a pause starts there`() throws {
    let player = AudioPlayer(rate: rate)
    let rig = try Rig(player, rate: rate)
    try player.append(path: file("a.wav", 100_000))
    player.start()
    rig.render(100)
    player.stop()
    rig.render(1)
    player.start(at: SampleTime(frames: 9600))
    rig.render(10)
    let place = Int(player.position.frame.frames)
    rig.render(100)
    #expect(numbers(rig.left[7000..<9600]).allSatisfy { $0 == 0 })
    #expect(numbers(rig.left[9600...]) == (1...rig.left.count - 9600).map { place + $0 })
  }

  @Test func `an immediate play replaces a scheduled one`() throws {
    let player = AudioPlayer(rate: rate)
    let rig = try Rig(player, rate: rate)
    try player.append(path: file("a.wav", 10_000))
    player.start()
    rig.render(10)
    player.stop()
    player.start(at: SampleTime(frames: 1 << 40))
    player.start()
    rig.render(200)
    #expect(!player.isPlaying)
  }

  @Test func `a seek reaches the frame, while playing and while paused`() throws {
    let player = AudioPlayer(rate: rate)
    let rig = try Rig(player, rate: rate)
    try player.append(path: file("a.wav", 100_000))
    player.locate(to: SampleTime(frames: 50_000))
    rig.render(1)
    player.start()
    rig.render(10)
    #expect(numbers(rig.left[64..<704]) == Array(50_001...50_640))
    player.locate(to: SampleTime(frames: 10))
    rig.render(20)
    let last = try #require(numbers(rig.left.suffix(1)).first)
    #expect(last > 900 && last < 1300)
    player.stop()
    player.locate(to: .zero, item: 0)
    rig.render(20)
    #expect(player.position.frame.frames == 0)
    #expect(!player.isPlaying)
  }

  @Test func `after a seek the first frames are ready before the disk is read`() throws {
    let player = AudioPlayer(rate: rate)
    let rig = try Rig(player, rate: rate)
    try player.append(path: file("a.wav", 200_000))
    player.start()
    for place in [60_000, 150_000, 20_000] {
      rig.render(50)
      player.locate(to: SampleTime(frames: Int64(place)))
      rig.render(30, filling: false)
      let samples = numbers(rig.left.suffix(640))
      #expect(zip(samples, samples.dropFirst()).allSatisfy { $0 + 1 == $1 }, "\(samples)")
      #expect((place...place + 2000).contains(samples[0]))
    }
    #expect(player.underrunCount == 0)
  }

  @Test func `a seek immediately before play does not lose frames`() throws {
    let player = AudioPlayer(rate: rate)
    let rig = try Rig(player, rate: rate)
    try player.append(path: file("a.wav", 100_000))
    player.locate(to: SampleTime(frames: 5000))
    player.start()
    rig.render(100)
    #expect(numbers(rig.left) == Array(5001...11_400))
    #expect(player.underrunCount == 0)
  }

  @Test func `a seek at the end continues at its frame, and the end is not reported`() throws {
    let player = AudioPlayer(rate: rate)
    let rig = try Rig(player, rate: rate)
    try player.append(path: file("a.wav", 10_000))
    let count = Mutex(0)
    player.start { _ in count.withLock { $0 += 1 } }
    rig.render(156)
    player.locate(to: SampleTime(frames: 100))
    rig.render(10)
    player.deliver(heardThrough: SampleTime(frames: 1 << 40))
    #expect(count.withLock { $0 } == 0)
    #expect(player.isPlaying)
    #expect(rig.left.suffix(64).allSatisfy { $0 > 0 })
  }

  @Test func `a sound that is appended during the last one follows without a gap`() throws {
    let player = AudioPlayer(rate: rate)
    let rig = try Rig(player, rate: rate)
    try player.append(path: file("a.wav", 3001))
    player.start()
    rig.render(20)
    try player.append(path: file("b.wav", 1000, from: 3002))
    rig.render(60)
    #expect(numbers(rig.left[..<4001]) == Array(1...4001))
    #expect(!player.isPlaying)
  }

  @Test func `stop and play restart, and a second play is ignored`() throws {
    let player = AudioPlayer(rate: rate)
    let rig = try Rig(player, rate: rate)
    try player.append(path: file("a.wav", 3000))
    let count = Mutex(0)
    player.start { _ in count.withLock { $0 += 1 } }
    rig.render(20)
    player.start()
    player.stop()
    player.locate(to: .zero, item: 0)
    rig.render(10)
    player.start(at: SampleTime(frames: 2000))
    player.start(at: SampleTime(frames: 2000))
    rig.render(70)
    #expect(numbers(rig.left[2000..<5000]) == Array(1...3000))
    rig.render(10)
    #expect(!player.isPlaying)
    player.deliver(heardThrough: SampleTime(frames: 1 << 40))
    #expect(count.withLock { $0 } == 1)
  }

  @Test func `a file with another rate plays at its pitch`() throws {
    let player = AudioPlayer(rate: rate)
    let rig = try Rig(player, rate: rate)
    try player.append(path: file("a.wav", 44_100, hertz: 44_100))
    player.start()
    rig.render(800)
    let end = try #require(rig.left.lastIndex { abs($0) > 1e-3 })
    #expect(abs(end - 48_000) < 64)
    // In the middle of the second, half of the count.
    #expect(abs(rig.left[24_000] * 1_048_576 - 22_051) < 1)
  }

  @Test(arguments: [Float(0.5), 2, 1.5])
  func `speed changes the length by its inverse`(speed: Float) throws {
    let player = AudioPlayer(rate: rate)
    let rig = try Rig(player, rate: rate)
    try player.append(path: file("a.wav", 30_000))
    player.speed = speed
    player.start()
    rig.render(1000)
    let end = try #require(rig.left.lastIndex { $0 != 0 })
    #expect(abs(Float(end) - 30_000 / speed) < 4)
    // A straight line stays straight.
    for frame in [1000, 5000, 9000] {
      #expect(abs(rig.left[frame] * 1_048_576 - Float(frame) * speed - 1) < 1)
    }
  }

  @Test func `the end is reported once, when it was audible`() throws {
    let player = AudioPlayer(rate: rate)
    let rig = try Rig(player, rate: rate)
    try player.append(path: file("a.wav", 1000))
    let count = Mutex(0)
    player.start(at: SampleTime(frames: 24)) { frame in
      #expect(frame.frames == 1024)
      count.withLock { $0 += 1 }
    }
    rig.render(30)
    player.deliver(heardThrough: SampleTime(frames: 1023))
    #expect(count.withLock { $0 } == 0)
    player.deliver(heardThrough: SampleTime(frames: 1024))
    player.deliver(heardThrough: SampleTime(frames: 9999))
    #expect(count.withLock { $0 } == 1)
  }
}

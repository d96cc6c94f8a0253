// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioProcessing
import CAllocationCounter
import ClipPlayback
import MusicalTime
import Realtime
import Synchronization
import Testing

@Suite struct SoundBoardTests {
  /// A board alone in a graph that is rendered quantum by quantum.
  final class Rig {
    let board: SoundBoard
    let rate: SampleRate
    private let plan: RenderPlan
    private(set) var left: [Float] = []
    private(set) var right: [Float] = []

    init() throws {
      rate = try #require(SampleRate(hertz: 48_000))
      board = SoundBoard(rate: rate)
      var graph = AudioGraph()
      try graph.setHead(graph.add(board.unit))
      plan = try graph.compile()
    }

    /// A mono clip whose samples count up from a value.
    func clip(_ count: Int, from first: Float = 1) -> SystemSound {
      let samples = (0..<count).map { first + Float($0) / 4096 }
      return SystemSound(name: "test", interleaved: samples, channelCount: 1, rate: rate)
    }

    func render(_ quanta: Int) {
      for _ in 0..<quanta {
        plan.render(at: SampleTime(frames: Int64(left.count)))
        for frame in 0..<64 {
          left.append(plan.output[0, frame])
          right.append(plan.output[1, frame])
        }
      }
    }

    func renderSilently(_ quanta: Int) {
      for quantum in 0..<quanta {
        plan.render(at: SampleTime(frames: Int64(left.count + 64 * quantum)))
      }
    }
  }

  private func at(_ frame: Int64) -> SoundBoard.Start { .frame(SampleTime(frames: frame)) }

  @Test func `a clip plays from its start frame, bit for bit`() throws {
    let rig = try Rig()
    try rig.board.play(rig.clip(1000), at: at(777))
    rig.render(40)
    #expect(rig.left[..<777].allSatisfy { $0 == 0 })
    #expect(Array(rig.left[777..<1777]) == (0..<1000).map { 1 + Float($0) / 4096 })
    #expect(rig.left[1777...].allSatisfy { $0 == 0 })
    #expect(rig.left == rig.right)
  }

  @Test func `the interval between two clips is the requested one`() throws {
    let rig = try Rig()
    let click = SystemSound(name: "click", interleaved: [1, 1], channelCount: 2, rate: rig.rate)
    for frame in [3, 66, 67, 10_000] as [Int64] { try rig.board.play(click, at: at(frame)) }
    rig.render(200)
    #expect(rig.left.indices.filter { rig.left[$0] != 0 } == [3, 66, 67, 10_000])
  }

  @Test func `gain and pan are factors of the two sides`() throws {
    let rig = try Rig()
    let click = SystemSound(name: "click", interleaved: [1], channelCount: 1, rate: rig.rate)
    try rig.board.play(click, at: at(5), gain: 0.5, pan: -0.5)
    rig.render(1)
    #expect(rig.left[5] == 0.5)
    #expect(rig.right[5] == 0.25)
  }

  @Test func `64 clips play at once, and the next one is refused`() throws {
    let rig = try Rig()
    let clip = rig.clip(6400, from: 1 / 64)
    let reasons = Mutex<[ClipEnd.Reason]>([])
    for _ in 0..<65 {
      try rig.board.play(clip) { end in reasons.withLock { $0.append(end.reason) } }
    }
    rig.render(100)
    #expect(abs(rig.left[0] - 1) < 1e-5)
    rig.board.deliver(heardThrough: SampleTime(frames: 6400))
    #expect(reasons.withLock { $0.count { $0 == .finished } } == 64)
    #expect(reasons.withLock { $0.count { $0 == .refused } } == 1)
  }

  @Test func `a completion is called once, after the last frame was audible`() throws {
    let rig = try Rig()
    let ends = Mutex<[ClipEnd]>([])
    try rig.board.play(rig.clip(100), at: at(10)) { end in ends.withLock { $0.append(end) } }
    rig.render(4)
    rig.board.deliver(heardThrough: SampleTime(frames: 109))
    #expect(ends.withLock { $0.isEmpty })
    rig.board.deliver(heardThrough: SampleTime(frames: 110))
    rig.board.deliver(heardThrough: SampleTime(frames: 200))
    rig.board.end()
    #expect(ends.withLock { $0.map(\.reason) } == [.finished])
    #expect(ends.withLock { $0.map(\.frame) } == [110])
    #expect(rig.board.activeCount == 0)
  }

  @Test func `a cut fades out in 5 ms, and a waiting clip is not played`() throws {
    let rig = try Rig()
    let ends = Mutex<[ClipEnd.Reason]>([])
    let play = try rig.board.play(rig.clip(48_000)) { end in
      ends.withLock { $0.append(end.reason) }
    }
    let waiting = try rig.board.play(rig.clip(10), at: at(5000))
    rig.render(10)
    rig.board.cut(play)
    rig.board.cut(waiting)
    rig.render(100)
    #expect(rig.left[639] != 0)
    #expect(rig.left[880...].allSatisfy { $0 == 0 })
    for frame in 640..<879 { #expect(abs(rig.left[frame + 1] - rig.left[frame]) < 0.01) }
    rig.board.deliver(heardThrough: SampleTime(frames: 10_000))
    #expect(ends.withLock { $0 } == [.cut])
    rig.board.cut(play)
  }

  @Test func `a disposed sound plays to its end, or is cut, and cannot be played again`() throws {
    let rig = try Rig()
    let clip = rig.clip(1000)
    try rig.board.play(clip)
    rig.render(1)
    rig.board.dispose(clip)
    #expect(throws: ClipError.disposed) { try rig.board.play(clip) }
    rig.render(20)
    #expect(rig.left[999] != 0)
    let other = rig.clip(48_000)
    try rig.board.play(other)
    rig.board.dispose(other, cutting: true)
    rig.render(20)
    #expect(rig.left.suffix(64).allSatisfy { $0 == 0 })
  }

  @Test func `user interface sounds are silent if the user wants that`() throws {
    let rig = try Rig()
    let ends = Mutex<[ClipEnd.Reason]>([])
    let other = rig.clip(10)
    other.isUISound = false
    rig.board.playsUISounds = false
    try rig.board.play(rig.clip(10)) { end in ends.withLock { $0.append(end.reason) } }
    rig.render(1)
    #expect(rig.left.allSatisfy { $0 == 0 })
    rig.board.deliver(heardThrough: SampleTime(frames: 64))
    #expect(ends.withLock { $0 } == [.silenced])
    try rig.board.play(other)
    rig.render(1)
    #expect(rig.left[64] == 1)
  }

  @Test func `an output that stops ends all sounds once`() throws {
    let rig = try Rig()
    let ends = Mutex<[ClipEnd.Reason]>([])
    try rig.board.play(rig.clip(48_000)) { end in ends.withLock { $0.append(end.reason) } }
    rig.render(2)
    rig.board.end()
    rig.board.end()
    #expect(ends.withLock { $0 } == [.stopped])
    #expect(throws: ClipError.notRunning) {
      try rig.board.play(rig.clip(1), at: .host(HostTime(nanoseconds: 0)))
    }
  }

  @Test func `sounds that still play when a board ends are faded out, then freed`()
    throws
  {
    let rig = try Rig()
    weak var kept: SystemSound?
    func play() throws {
      let clip = rig.clip(48_000)
      kept = clip
      try rig.board.play(clip)
      try rig.board.play(clip, at: at(1 << 40))
    }
    try play()
    rig.render(2)
    rig.board.end()
    #expect(kept != nil)
    #expect(rig.board.activeCount == 0)
    rig.render(10)
    #expect(rig.left[128] != 0)
    #expect(rig.left[368...].allSatisfy { $0 == 0 })
    rig.board.deliver(heardThrough: SampleTime(frames: 0))
    #expect(kept == nil)
    let click = rig.clip(10)
    for _ in 0..<256 { try rig.board.play(click, at: at(1 << 40)) }
    #expect(throws: ClipError.noRoom) { try rig.board.play(click) }
  }

  @Test func `a clip that had ended when the board ended frees its slot once`() throws {
    let rig = try Rig()
    let click = rig.clip(10)
    try rig.board.play(click)
    rig.board.end()
    rig.render(1)
    rig.board.end()
    rig.board.deliver(heardThrough: SampleTime(frames: 1 << 40))
    for _ in 0..<256 { try rig.board.play(click, at: at(1 << 40)) }
    #expect(throws: ClipError.noRoom) { try rig.board.play(click) }
  }

  @Test func `a graph that outlives its board keeps the sounds`() throws {
    weak var kept: SystemSound?
    func start() throws -> RenderPlan {
      let rate = SampleRate.hertz48000
      let board = SoundBoard(rate: rate)
      let samples = [Float](repeating: 1, count: 48_000)
      let clip = SystemSound(name: "test", interleaved: samples, channelCount: 1, rate: rate)
      kept = clip
      try board.play(clip)
      var graph = AudioGraph()
      try graph.setHead(graph.add(board.unit))
      let plan = try graph.compile()
      plan.render(at: 0)
      return plan
    }
    var plan: RenderPlan? = try start()
    #expect(kept != nil)
    plan?.render(at: 64)
    #expect(plan?.output[0, 0] ?? 0 > 0.9)
    for quantum in 2..<6 { plan?.render(at: SampleTime(frames: Int64(64 * quantum))) }
    #expect(plan?.output[0, 63] == 0)
    plan = nil
    #expect(kept == nil)
  }

  @Test func `256 clips can wait, and the next is an error`() throws {
    let rig = try Rig()
    let clip = rig.clip(10)
    for _ in 0..<256 { try rig.board.play(clip, at: at(1 << 40)) }
    #expect(throws: ClipError.noRoom) { try rig.board.play(clip) }
  }

  @Test(.enabled(if: callocationcounter_works(), "a sanitizer replaces the allocator"))
  func `triggering and rendering do not allocate or lock`() throws {
    let rig = try Rig()
    let clip = rig.clip(640)
    let completion: SoundBoard.Completion = { _ in }
    try rig.board.play(clip, completion: completion)
    rig.renderSilently(20)
    rig.board.deliver(heardThrough: SampleTime(frames: .max))
    callocationcounter_begin()
    for _ in 0..<60 { try rig.board.play(clip, gain: 0.5, completion: completion) }
    let play = try rig.board.play(clip, at: at(100))
    rig.board.cut(play)
    let triggers = callocationcounter_end()
    #expect(triggers.allocations == 0)
    callocationcounter_begin()
    rig.renderSilently(30)
    let rendering = callocationcounter_end()
    #expect(rendering.allocations == 0)
    #expect(rendering.frees == 0)
    #expect(rendering.locks == 0)
  }

  @Test func `a board that follows an output reports ends and supports host times`()
    async throws
  {
    let rate = SampleRate.hertz48000
    let board = SoundBoard(rate: rate)
    #expect(throws: ClipError.notRunning) { try board.frame(at: HostTime(nanoseconds: 1)) }
    var graph = AudioGraph()
    try graph.setHead(graph.add(board.unit))
    let output = NullOutputUnit(format: AudioFormat(rate: rate, channelCount: 2))
    try output.start(graph.compile())
    try board.follow(output)
    let click = SystemSound(name: "click", interleaved: [1], channelCount: 1, rate: rate)
    #expect(try await board.playToEnd(click).isSuccess)
    // A late start is immediate, because the first time can be too close for a busy machine.
    var frames: [Int64] = []
    for ahead in [50_000_000, 1_000_000_000, 5_000_000_000] as [Int64] {
      let moment = DeadlineWait.now + ahead
      let ends = Mutex<[ClipEnd]>([])
      for delay in [0, 10_000_000] as [Int64] {
        let start = SoundBoard.Start.host(HostTime(nanoseconds: moment + delay))
        try board.play(click, at: start) { end in ends.withLock { $0.append(end) } }
      }
      #expect(try board.frame(at: HostTime(nanoseconds: moment)).frames > 0)
      while board.activeCount > 0 { try await Task.sleep(for: .milliseconds(5)) }
      frames = ends.withLock { $0.map(\.frame.frames) }
      try #require(frames.count == 2)
      #expect(output.position.frames >= frames[1])
      if frames[1] - frames[0] == 480 { break }
    }
    #expect(frames[1] - frames[0] == 480)
    board.end()
    output.stop(draining: false)
  }

  @Test func `an end can be awaited`() async throws {
    let rig = try Rig()
    let board = rig.board
    let clip = rig.clip(10)
    async let end = board.playToEnd(clip)
    while board.activeCount == 0 { await Task.yield() }
    rig.render(1)
    board.deliver(heardThrough: SampleTime(frames: 64))
    #expect(try await end.isSuccess)
  }

  @Test func `a separate program plays sounds that complete if the process dies`() async throws {
    let rig = try Rig()
    let board = SoundBoard(rate: rig.rate, program: DetachedProgram(["test"]))
    let clip = rig.clip(10)
    clip.completesIfProcessDies = true
    let ends = Mutex<[ClipEnd.Reason]>([])
    // `test --gain=…` has too many words and fails, so the reason is a failure, and it is reported.
    try board.play(clip) { end in ends.withLock { $0.append(end.reason) } }
    while board.activeCount > 0 { board.deliver(heardThrough: SampleTime(frames: 0)) }
    #expect(ends.withLock { $0 } == [.failed])
    #expect(throws: ClipError.cannotWait) { try board.play(clip, at: at(100)) }
    let nowhere = SoundBoard(rate: rig.rate, program: DetachedProgram(["/nowhere/at/all"]))
    #expect(throws: ClipError.cannotDetach(command: "/nowhere/at/all", code: 2)) {
      try nowhere.play(clip)
    }
  }
}

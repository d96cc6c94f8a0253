// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import Glibc
internal import LV2Units
internal import MIDIMessages
internal import MusicalTime
internal import Realtime

/// A test rendering of a plug-in, 2 s long, block by block.
struct RehearsalTake {
  static let rate = SampleRate.hertz48000
  static let blockCount = 2 * 48_000 / AudioFormat.quantum
  /// The number of blocks between two moves of a control.
  private static let blocksBetweenMoves = 8

  /// The measurements of a block.
  struct Block {
    var calls = RunWatch.Calls()
    /// The number of NaN or infinite samples.
    var faultyCount = 0
    /// The rendering time in nanoseconds: the processor time, or, if the plug-in locked or waited,
    /// the elapsed time without the time of other programs.
    var nanoseconds = 0.0
    /// The index of the control that was moved last before the block; nil for none.
    var moved: Int?
  }

  private(set) var blocks: [Block] = []
  /// The bits of the output samples.
  private(set) var samples: [UInt32] = []
  private(set) var refusedWork = 0
  private let delay = RunDelay()

  /// Renders a plug-in, and counts its system calls if possible.
  ///
  /// - Parameters:
  ///   - plugin: The plug-in; an effect receives noise, an instrument plays chords.
  ///   - world: The world that contains it.
  ///   - movesControls: True to move its controls, one after another.
  ///   - tell: Called with the next step before each step that may end the process:
  ///     `after size moved`.
  /// - Throws: `LV2Error` if it cannot be used; `GraphError` if it does not fit.
  init(
    _ plugin: LV2Plugin, in world: LV2World, movesControls: Bool, tell: (String) -> Void
  ) throws {
    let unit = try LV2Unit(
      plugin, in: world, configuration: LV2Configuration(rate: Self.rate, buses: .stereo))
    var graph = AudioGraph()
    let node = graph.add(unit)
    if !unit.inputChannelCounts.isEmpty {
      let noise = graph.add(KernelUnit(Noise(), name: "noise", rate: Self.rate))
      try graph.connect(noise, to: node)
    }
    try graph.setHead(node)
    let plan = try graph.compile()
    blocks.reserveCapacity(Self.blockCount)
    samples.reserveCapacity(Self.blockCount * AudioFormat.quantum * plan.output.channelCount)
    var moved: Int?
    var moves = ControlMoves(plugin.controls)
    for index in 0..<Self.blockCount {
      if movesControls, index % Self.blocksBetweenMoves == 0, let move = moves.next() {
        tell("after \(plugin.controls[move.control].symbol) moved")
        let value = unit.parameters.parameters[move.control].held(move.value)
        try unit.parameters.set(move.control, to: value, over: 0)
        moved = move.control
      }
      try render(index, plan, unit)
      blocks[index].moved = moved
    }
    refusedWork = unit.refusedWorkCount
    // The plug-in is freed after this.
    tell("while closing")
  }

  private mutating func render(_ index: Int, _ plan: RenderPlan, _ unit: LV2Unit) throws {
    let start = SampleTime(frames: Int64(index * AudioFormat.quantum))
    try Self.play(index, at: Self.rate.timeRoundedUp(of: start), on: unit)
    var block = Block()
    let faults = plan.faultySampleCount
    RunWatch.begin(knowsLibraries: index > 0)
    let delayed = delay.nanoseconds
    let (wall, processor) = (DeadlineWait.now, Self.processorTime)
    plan.render(at: start)
    let used = Self.processorTime - processor
    block.nanoseconds = Double(used)
    let all = DeadlineWait.now - wall
    let whole = Double(max(used, all - max(0, delay.nanoseconds - delayed)))
    block.calls = RunWatch.calls
    if block.calls.locks + block.calls.waits > 0 { block.nanoseconds = whole }
    block.faultyCount = plan.faultySampleCount - faults
    for channel in 0..<plan.output.channelCount {
      for frame in 0..<AudioFormat.quantum {
        samples.append(plan.output[channel, frame].bitPattern)
      }
    }
    blocks.append(block)
  }

  /// Plays a chord of three notes every half second, held for a quarter of a second.
  private static func play(_ index: Int, at time: ReferenceTime, on unit: LV2Unit) throws {
    guard unit.plugin.isInstrument, index % 188 == 0 else { return }
    var events = EventBuffer()
    for key in [48, 60, 67] as [UInt8] {
      let status: UInt8 = index % 376 == 0 ? 0x90 : 0x80
      let message = Message(status: status, data1: key, data2: 100)
      events.append(TimedEvent(time: time, payload: .message(message)))
    }
    _ = unit.send(events.events.span, payloads: events.payloads.span)
  }

  private static var processorTime: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// White noise at −12 dB, the same each time.
  private struct Noise: SoundKernel {
    private var state: UInt32 = 1

    mutating func render(_ block: SoundBlock) {
      var left = block.output(0)
      var right = block.output(1)
      for frame in 0..<block.frameCount {
        left[frame] = next()
        right[frame] = next()
      }
    }

    private mutating func next() -> Float {
      state = state &* 1_664_525 &+ 1_013_904_223
      return (Float(state >> 8) / Float(1 << 23) - 1) / 4
    }
  }
}

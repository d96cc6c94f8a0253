// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
internal import AudioProcessing
internal import CommandKit
internal import CommandOptions
internal import JSONText
internal import LinearTimecode
internal import MusicalTime
internal import Realtime

/// Plays linear timecode on a device; samples are encoded ahead, and output without changes.
struct LTCPlayer {
  private static let channelCount = 2
  private static let step: Int64 = 20_000_000

  private var encoder: LTCEncoder
  private let first: Timecode
  /// The number of samples; nil for no end.
  private let total: Int64?
  private let unit: InputUnit
  /// The number of frames encoded for the device.
  private var made: Int64 = 0
  /// The output while it plays.
  private var output: (any OutputUnit)?
  private var device: DeviceWatch?

  /// Prepares to play.
  ///
  /// - Parameters:
  ///   - encoder: The encoder of the sound.
  ///   - count: The number of timecode frames; nil for no end.
  ///   - first: The first time code.
  init(_ encoder: LTCEncoder, frameCount count: Int64?, from first: Timecode) {
    self.encoder = encoder
    self.first = first
    total = count.map { encoder.start(ofFrame: $0).frames + Int64(encoder.closingSamples) }
    // A quarter of a second, enough for delays on a busy machine.
    unit = InputUnit(
      name: "ltc", channelCount: Self.channelCount, clock: .same,
      heldFrames: Int(encoder.sampleRate.hertz) / 4, rate: encoder.sampleRate)
  }

  /// Plays to the end or until a signal, which then ends the process.
  ///
  /// - Throws: `DeviceError` if the device cannot be opened, or the error that ended the output.
  mutating func play(
    on options: OutputDeviceOptions, isQuiet: Bool, until signals: SignalWatch
  ) throws {
    let loop = try RunLoop(signals)
    let opened = try open(options)
    let output = opened.unit
    signals.holdForCleanUp()
    var graph = AudioGraph()
    try graph.setHead(graph.add(unit))
    make(upTo: Int64(2 * unit.heldFrames))
    try JSONReport.begin([
      ("device", .text(opened.name)), ("label", .text("\(first)")),
      ("fps", .text(first.rate.name)),
    ])
    if !isQuiet {
      Terminal.report(
        "sending linear time code from \(first) at \(first.rate.name) on \(opened.name)")
    }
    try output.start(graph.compile(), at: .zero)
    device = DeviceWatch(opened)
    self.output = output
    let number = try loop.run(&self)
    let fault = output.fault
    output.stop(draining: number == nil && fault == nil)
    SoundTrouble(xruns: output.xrunCount, remedy: opened.remedy).report(isQuiet: isQuiet)
    if unit.missedFrameCount > 0 {
      JSONReport.tell(
        "gaps",
        [("count", .integer(output.xrunCount)), ("lostFrames", .integer(unit.missedFrameCount))])
      Terminal.report("the computer was too busy: time code is late from now on (start again)")
    }
    if let number { SignalWatch.die(by: number) }
    if let fault { throw fault }
  }

  private func open(_ options: OutputDeviceOptions) throws -> OutputDevice {
    do {
      return try options.open(rate: .only(encoder.sampleRate), losing: .wait)
    } catch DeviceError.noSoundDevice {
      throw Failure(
        .noDevice, "no sound device on this machine (to write a sound file: -o FILE)",
        concernsMachine: true)
    }
  }

  /// Encodes sound up to a frame of the device; silence after the end.
  private mutating func make(upTo end: Int64) {
    var samples: [Float] = []
    while made < end {
      let isOver = total.map { made >= $0 } ?? false
      let sample = isOver ? 0 : encoder.next()
      for _ in 0..<Self.channelCount { samples.append(sample) }
      made += 1
    }
    unit.write(samples.span)
  }
}

extension LTCPlayer: RunLoopBody {
  /// The position of the device must be polled, because no descriptor reports it.
  var deadline: Int64? { DeadlineWait.now + Self.step }

  mutating func turn() throws -> Bool {
    guard let output, output.fault == nil else { return false }
    _ = try device?.look()
    make(upTo: output.position.frames + Int64(2 * unit.heldFrames))
    return total.map { output.position.frames < $0 } ?? true
  }
}

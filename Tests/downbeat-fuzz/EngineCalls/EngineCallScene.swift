// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioProcessing
import Foundation
import MusicalTime
import Synchronization
import TestSupport

/// Two engines with their nodes, and players and sequencers, which two threads call.
final class EngineCallScene: @unchecked Sendable {
  // Unchecked: any thread may call the objects.

  private let engines: [AVAudioEngine]
  private let players = (0..<3).map { _ in AVAudioPlayerNode() }
  private let mixers = (0..<3).map { _ in AVAudioMixerNode() }
  private let source = unsafe AVAudioSourceNode { _, _, _, _ in 0 }
  private let sink = unsafe AVAudioSinkNode { _, _, _ in 0 }
  private let sounds: [AVAudioPCMBuffer]
  private let formats: [AVAudioFormat]
  private let file: AVAudioFile
  private let filePlayers: [AVAudioPlayer]
  private let sequencers: [AVAudioSequencer]
  private let flag: LostFlag
  private let rendered = Atomic(0)
  private let delivered = Atomic(0)

  /// The codes that the calls may throw.
  private static let codes: Set<Int> = [
    -50, -80800, -80801, -80802, -10874, -10875, -10861, -10852, -10863,
  ]

  private final class LostFlag: Sendable {
    let value = Atomic(false)
  }

  /// An input of silence.
  private final class SilentInput: SoundInput {
    let rate: SampleRate
    let channelCount: Int
    let periodFrames = 256

    init(_ shape: RecorderInputShape) {
      rate = shape.rate
      channelCount = shape.channelCount
    }

    func read() -> [Float] {
      usleep(5000)
      return Array(repeating: 0, count: periodFrames * channelCount)
    }
  }

  init(_ folder: URL) throws {
    formats = [(48_000.0, 2), (48_000, 1), (44_100, 2), (8000, 1)].compactMap { rate, channels in
      AVAudioFormat(standardFormatWithSampleRate: rate, channels: UInt32(channels))
    }
    sounds = formats.compactMap { format in
      let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 700)
      buffer?.frameLength = 700
      return buffer
    }
    let url = folder.appendingPathComponent("engine.caf")
    do {
      let writer = try AVAudioFile(forWriting: url, settings: formats[0].settings)
      try writer.write(from: sounds[0])
    }
    file = try AVAudioFile(forReading: url)
    filePlayers = try (0..<2).map { _ in try AVAudioPlayer(contentsOf: url) }
    let lost = LostFlag()
    flag = lost
    let device = AVAudioEngine(
      hardware: EngineHardware(
        rate: { .hertz48000 },
        makeOutput: { rate in
          EngineOutput(NullOutputUnit(format: AudioFormat(rate: rate), periodFrames: 64)) {
            lost.value.load(ordering: .relaxed)
          }
        },
        inputChannelCount: { 2 }, makeInput: { SilentInput($0) }))
    engines = [AVAudioEngine(), device]
    sequencers = engines.map { AVAudioSequencer(audioEngine: $0) }
    for sequencer in sequencers {
      let track = sequencer.createAndAppendTrack()
      track.addEvent(
        AVMIDINoteEvent(channel: 0, key: 60, velocity: 80, duration: 0.5), at: 0)
    }
    try engines[0].enableManualRenderingMode(
      .offline, format: formats[0], maximumFrameCount: 512)
  }

  var frameCount: Int { rendered.load(ordering: .relaxed) }

  /// Detaches mixers that are replaced, and returns the faults that both threads have left.
  func check() -> [String] {
    let nodes: [AVAudioNode] = players + mixers + [source, sink]
    for engine in engines {
      for node in engine.attachedNodes where !nodes.contains(node) && !(node is AVAudioIONode) {
        if node !== engine.mainMixerNode { engine.detach(node) }
      }
    }
    return nodes.compactMap { node in
      let owners = engines.filter { $0.attachedNodes.contains(node) }
      return owners.count > 1 ? "a node is attached to two engines" : nil
    }
  }

  /// Makes a call; returns the fault if there is one.
  func call(_ random: inout SplitMix) -> String? {
    do {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<2: attach(&random)
      case 2..<4: connect(&random)
      case 4: tap(&random)
      case 5..<7: play(&random)
      case 7: try run(&random)
      case 8: return try render(&random)
      default: try others(&random)
      }
    } catch {
      let error = error as NSError
      return Self.codes.contains(error.code) ? nil : "error \(error)"
    }
    return nil
  }

  private func engine(_ random: inout SplitMix) -> AVAudioEngine {
    engines[Int.random(in: 0..<2, using: &random)]
  }

  private func player(_ random: inout SplitMix) -> AVAudioPlayerNode {
    players[Int.random(in: 0..<players.count, using: &random)]
  }

  private func node(_ random: inout SplitMix) -> AVAudioNode {
    let engine = engine(&random)
    let nodes: [AVAudioNode] =
      players + mixers + [source, sink, engine.mainMixerNode, engine.outputNode]
    let index = Int.random(in: 0...nodes.count, using: &random)
    return index == nodes.count ? engine.inputNode : nodes[index]
  }

  private func format(_ random: inout SplitMix) -> AVAudioFormat? {
    Bool.random(using: &random) ? formats.randomElement(using: &random) : nil
  }

  private func attach(_ random: inout SplitMix) {
    let (engine, node) = (engine(&random), node(&random))
    if Int.random(in: 0..<4, using: &random) > 0 {
      engine.attach(node)
    } else {
      engine.detach(node)
    }
    _ = engine.attachedNodes.count
  }

  private func connect(_ random: inout SplitMix) {
    let (engine, one, other) = (engine(&random), node(&random), node(&random))
    // A mixer of 1024 inputs takes long.
    let isLast = Int.random(in: 0..<300, using: &random) == 0
    let bus = isLast ? 1023 : [0, 0, 1, 9, 1024, -1].randomElement(using: &random) ?? 0
    switch Int.random(in: 0..<7, using: &random) {
    case 0..<2: engine.connect(one, to: other, format: format(&random))
    case 2: engine.connect(one, to: other, fromBus: 0, toBus: bus, format: format(&random))
    case 3:
      let points = [one, other, node(&random)].map { AVAudioConnectionPoint(node: $0, bus: bus) }
      engine.connect(node(&random), to: points, fromBus: 0, format: format(&random))
    case 4: engine.disconnectNodeInput(one, bus: bus)
    case 5: engine.disconnectNodeOutput(one)
    default:
      _ = engine.inputConnectionPoint(for: one, inputBus: bus)
      _ = engine.outputConnectionPoints(for: one, outputBus: bus)
      _ = (one.inputFormat(forBus: 0), one.outputFormat(forBus: bus), one.numberOfInputs)
    }
  }

  private func tap(_ random: inout SplitMix) {
    let node = node(&random)
    guard Int.random(in: 0..<3, using: &random) > 0 else { return node.removeTap(onBus: 0) }
    let size = [0, 1, 64, 480, 100_000].randomElement(using: &random) ?? 64
    node.installTap(onBus: 0, bufferSize: AVAudioFrameCount(size), format: format(&random)) {
      [weak self] buffer, _ in
      self?.delivered.add(Int(buffer.frameLength), ordering: .relaxed)
    }
    _ = node.droppedFrameCount(onBus: 0)
  }

  private func play(_ random: inout SplitMix) {
    let player = player(&random)
    let options = AVAudioPlayerNodeBufferOptions(rawValue: UInt(random.next() % 8))
    let frame = [0, 64, 1000, -5, Int64.max, .min].randomElement(using: &random) ?? 0
    let time = AVAudioTime(sampleTime: frame, atRate: 48_000)
    switch Int.random(in: 0..<9, using: &random) {
    case 0..<2:
      let sound = sounds[Int.random(in: 0..<sounds.count, using: &random)]
      player.scheduleBuffer(sound, at: Bool.random(using: &random) ? time : nil, options: options) {
        [weak player] in _ = player?.isPlaying
      }
    case 2:
      player.scheduleSegment(
        file, startingFrame: frame, frameCount: UInt32(random.next() % 900), at: nil)
    case 3..<5: player.play()
    case 5: player.play(at: time)
    case 6: player.pause()
    case 7: player.stop()
    default:
      (player.volume, player.pan) = (Float(random.next() % 20), .nan)
      _ = player.lastRenderTime.flatMap { player.playerTime(forNodeTime: $0) }
      _ = player.nodeTime(forPlayerTime: time)
    }
  }

  private func run(_ random: inout SplitMix) throws {
    let engine = engine(&random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4: try engine.start()
    case 4: engine.pause()
    case 5: engine.stop()
    case 6: engine.reset()
    case 7: engine.prepare()
    case 8: flag.value.store(random.next() % 4 == 0, ordering: .relaxed)
    default:
      engines[0].disableManualRenderingMode()
      let mode: AVAudioEngineManualRenderingMode =
        Bool.random(using: &random) ? .offline : .realtime
      try engines[0].enableManualRenderingMode(
        mode, format: formats[Int.random(in: 0..<3, using: &random)], maximumFrameCount: 512)
    }
  }

  /// Renders; returns the fault if a sample is not a number.
  private func render(_ random: inout SplitMix) throws -> String? {
    let engine = engines[0]
    let count = AVAudioFrameCount.random(in: 0..<600, using: &random)
    guard let buffer = AVAudioPCMBuffer(pcmFormat: engine.manualRenderingFormat, frameCapacity: 600)
    else { return "no buffer" }
    buffer.frameLength = 600
    if Bool.random(using: &random) {
      _ = try engine.renderOffline(count, to: buffer)
    } else {
      var status: OSStatus = 0
      _ = unsafe engine.manualRenderingBlock(count, buffer.mutableAudioBufferList, &status)
    }
    rendered.add(Int(count), ordering: .relaxed)
    for channel in 0..<Int(buffer.format.channelCount) {
      for frame in 0..<Int(buffer.frameLength) {
        guard unsafe buffer.floatChannelData?[channel][frame].isFinite ?? true else {
          return "a sample is not a number"
        }
      }
    }
    return nil
  }

  private func others(_ random: inout SplitMix) throws {
    let player = filePlayers[Int.random(in: 0..<2, using: &random)]
    let sequencer = sequencers[Int.random(in: 0..<2, using: &random)]
    switch Int.random(in: 0..<12, using: &random) {
    case 0: player.play()
    case 1: player.stop()
    case 2: player.pause()
    case 3: player.currentTime = [0, 0.01, -1, .nan].randomElement(using: &random) ?? 0
    case 4:
      player.isMeteringEnabled = Bool.random(using: &random)
      player.updateMeters()
      _ = player.peakPower(forChannel: Int(random.next() % 3))
    case 5: player.numberOfLoops = Int(random.next() % 3) - 1
    case 6: try sequencer.start()
    case 7: sequencer.stop()
    case 8: sequencer.currentPositionInBeats = [0, 0.5, 100].randomElement(using: &random) ?? 0
    case 9: sequencer.rate = [0.5, 1, 32, .nan].randomElement(using: &random) ?? 1
    case 10: _ = sequencer.tracks.first.map { $0.isMuted.toggle() }
    default: _ = (player.deviceCurrentTime, sequencer.isPlaying)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioFiles
import AudioProcessing
import Foundation
import MusicalTime
import Testing

@Suite struct AVAudioEngineTests {
  private let format: AVAudioFormat

  init() throws {
    format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
  }

  private func sound(_ frames: Int, step: Double) throws -> AVAudioPCMBuffer {
    let buffer = try #require(
      AVAudioPCMBuffer(pcmFormat: format, frameCapacity: UInt32(frames)))
    buffer.frameLength = UInt32(frames)
    for frame in 0..<frames {
      for channel in 0..<2 {
        buffer.floatChannelData?[channel][frame] =
          Float(sin(Double(frame) * step + Double(channel))) / 3
      }
    }
    return buffer
  }

  private func frame(_ buffer: AVAudioPCMBuffer, _ index: Int) -> [Float] {
    (0..<2).map { buffer.floatChannelData?[$0][index] ?? .nan }
  }

  /// Renders frames in calls of several lengths.
  private func render(_ engine: AVAudioEngine, _ count: Int) throws -> [Float] {
    var result: [Float] = []
    var lengths = [1, 64, 100, 777, 4096, 63].makeIterator()
    while result.count < 2 * count {
      let wanted = min(lengths.next() ?? 512, count - result.count / 2)
      let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4096))
      let status = try engine.renderOffline(UInt32(wanted), to: buffer)
      #expect(status == .success && buffer.frameLength == UInt32(wanted))
      for index in 0..<wanted { result += frame(buffer, index) }
    }
    return result
  }

  private func manualEngine() throws -> AVAudioEngine {
    let engine = AVAudioEngine()
    try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 4096)
    return engine
  }

  /// A kernel that plays the frames of a buffer.
  private struct Playing: SoundKernel {
    let samples: [Float]
    func render(_ block: SoundBlock) {
      for channel in 0..<2 {
        var output = block.output(channel)
        for index in 0..<block.frameCount {
          let place = (Int(block.start.frames) + index) * 2 + channel
          output[index] = place < samples.count ? samples[place] : 0
        }
      }
    }
  }

  @Test func `Manual rendering is the sound of an OfflineRenderer, sample for sample`() throws {
    let engine = try manualEngine()
    let (one, other) = (AVAudioPlayerNode(), AVAudioPlayerNode())
    let sounds = [try sound(9000, step: 0.03), try sound(5000, step: 0.2)]
    for (player, sound) in zip([one, other], sounds) {
      engine.attach(player)
      engine.connect(player, to: engine.mainMixerNode, format: format)
      player.scheduleBuffer(sound)
    }
    (one.volume, one.pan) = (0.5, -0.25)
    (other.volume, other.pan) = (0.75, 0.5)
    engine.mainMixerNode.outputVolume = 0.9
    try engine.start()
    one.play()
    other.play()
    let found = try render(engine, 10_000)
    let rate = SampleRate.hertz48000
    var graph = AudioGraph()
    let mixer = MixerUnit(stripCount: 8, rate: rate)
    let node = graph.add(mixer)
    for (strip, sound) in sounds.enumerated() {
      let samples = (0..<Int(sound.frameLength)).flatMap { frame(sound, $0) }
      let unit = KernelUnit(Playing(samples: samples), name: "playing", rate: rate)
      try graph.connect(graph.add(unit), to: node, input: strip)
    }
    (mixer[0].gain, mixer[0].pan) = (0.5, -0.25)
    (mixer[1].gain, mixer[1].pan) = (0.75, 0.5)
    mixer.sum.gain = 0.9
    try graph.setHead(node)
    let renderer = OfflineRenderer(plan: try graph.compile(), rate: rate, clamps: false)
    var expected: [Float] = []
    try renderer.render(upTo: SampleTime(frames: 10_000), prepare: { _ in true }) { samples in
      expected += samples.indices.map { samples[$0] }
    }
    #expect(found.count == 20_000 && found.contains { $0 != 0 })
    #expect(found.elementsEqual(expected))
    #expect(engine.manualRenderingSampleTime == 10_000)
  }

  @Test func `Buffers follow one another without a gap, and are reported`() async throws {
    let engine = try manualEngine()
    let player = AVAudioPlayerNode()
    engine.attach(player)
    engine.connect(player, to: engine.mainMixerNode, format: format)
    let (first, second) = (try sound(1000, step: 0.1), try sound(501, step: 0.3))
    try engine.start()
    let found = try await confirmation(expectedCount: 2) { confirm in
      let (stream, continuation) = AsyncStream<Void>.makeStream()
      player.scheduleBuffer(first) { continuation.yield() }
      player.scheduleBuffer(second) { continuation.yield() }
      player.play()
      let found = try render(engine, 2000)
      var iterator = stream.makeAsyncIterator()
      for _ in 0..<2 {
        await iterator.next()
        confirm()
      }
      return found
    }
    let expected =
      (0..<1000).flatMap { frame(first, $0) } + (0..<501).flatMap { frame(second, $0) }
    #expect(found.prefix(3002).elementsEqual(expected))
    #expect(found.dropFirst(3002).allSatisfy { $0 == 0 })
  }

  @Test func `A buffer loops until another interrupts at the end of the loop`() throws {
    let engine = try manualEngine()
    let player = AVAudioPlayerNode()
    engine.attach(player)
    engine.connect(player, to: engine.mainMixerNode, format: format)
    let (loop, end) = (try sound(100, step: 0.1), try sound(50, step: 0.4))
    player.scheduleBuffer(loop, at: nil, options: .loops)
    try engine.start()
    player.play()
    let looped = try render(engine, 640)
    let expected = (0..<640).flatMap { frame(loop, $0 % 100) }
    #expect(looped.elementsEqual(expected))
    player.scheduleBuffer(end, at: nil, options: .interruptsAtLoop)
    let rest = try render(engine, 160)
    #expect(rest.prefix(120).elementsEqual((640..<700).flatMap { frame(loop, $0 % 100) }))
    #expect(rest.dropFirst(120).prefix(100).elementsEqual((0..<50).flatMap { frame(end, $0) }))
  }

  @Test func `A buffer begins at its sample time, and a stop drops it`() throws {
    let engine = try manualEngine()
    let player = AVAudioPlayerNode()
    engine.attach(player)
    engine.connect(player, to: engine.mainMixerNode, format: format)
    let sound = try sound(10, step: 0.1)
    try engine.start()
    player.scheduleBuffer(sound, at: AVAudioTime(sampleTime: 130, atRate: 48_000))
    player.play()
    let found = try render(engine, 256)
    #expect(found.prefix(260).allSatisfy { $0 == 0 })
    #expect(found.dropFirst(260).prefix(20).elementsEqual((0..<10).flatMap { frame(sound, $0) }))
    let now = try #require(player.lastRenderTime)
    let time = try #require(player.playerTime(forNodeTime: now))
    #expect(time.sampleTime == 256)
    player.scheduleBuffer(sound)
    player.stop()
    player.play()
    let silence = try render(engine, 64)
    #expect(silence.allSatisfy { $0 == 0 })
  }

  @Test func `A source node renders with the program's closure`() throws {
    let engine = try manualEngine()
    nonisolated(unsafe) var next: Float = 0
    let source = AVAudioSourceNode { _, _, count, list in
      let buffers = UnsafeMutableAudioBufferListPointer(list)
      for index in 0..<Int(count) {
        for buffer in buffers { UnsafeMutableBufferPointer<Float>(buffer)[index] = next / 1024 }
        next += 1
      }
      return noErr
    }
    engine.attach(source)
    engine.connect(source, to: engine.mainMixerNode, format: format)
    try engine.start()
    let found = try render(engine, 900)
    #expect(found.elementsEqual((0..<1800).map { Float($0 / 2) / 1024 }))
  }

  @Test func `A file of another rate is converted`() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "\(UUID().uuidString).caf")
    defer { do { try FileManager.default.removeItem(at: url) } catch {} }
    let narrow = try #require(AVAudioFormat(standardFormatWithSampleRate: 24_000, channels: 1))
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: narrow, frameCapacity: 2400))
    buffer.frameLength = 2400
    for index in 0..<2400 { buffer.floatChannelData?[0][index] = Float(sin(Double(index) / 9)) }
    do {
      let file = try AVAudioFile(forWriting: url, settings: narrow.settings)
      try file.write(from: buffer)
    }
    let file = try AVAudioFile(forReading: url)
    let engine = try manualEngine()
    let player = AVAudioPlayerNode()
    engine.attach(player)
    engine.connect(player, to: engine.mainMixerNode, format: file.processingFormat)
    player.scheduleFile(file, at: nil)
    try engine.start()
    player.play()
    let found = try render(engine, 6000)
    let reader = try SoundFileReader(path: url.path, client: ClientFormat(rate: .hertz48000))
    let expected = reader.read(frameCount: 6000)
    #expect(expected.count == 4800)
    let both = expected.flatMap { [$0, $0] }
    #expect(found.prefix(9600).elementsEqual(both))
    #expect(found.dropFirst(9600).allSatisfy { $0 == 0 })
  }

  @Test func `Connections can be changed while the engine runs`() throws {
    let engine = try manualEngine()
    let (player, mixer) = (AVAudioPlayerNode(), AVAudioMixerNode())
    engine.attach(player)
    engine.attach(mixer)
    engine.connect(player, to: engine.mainMixerNode, format: format)
    #expect(engine.attachedNodes == [engine.outputNode, engine.mainMixerNode, player, mixer])
    player.scheduleBuffer(try sound(100, step: 0.1), at: nil, options: .loops)
    try engine.start()
    player.play()
    #expect(try render(engine, 640).contains { $0 != 0 })
    engine.disconnectNodeOutput(player)
    _ = try render(engine, 640)
    #expect(try render(engine, 640).allSatisfy { $0 == 0 })
    engine.connect(player, to: mixer, format: format)
    engine.connect(mixer, to: engine.mainMixerNode, format: format)
    #expect(engine.inputConnectionPoint(for: mixer, inputBus: 0)?.node === player)
    #expect(engine.outputConnectionPoints(for: mixer, outputBus: 0).map(\.bus) == [0])
    #expect(try render(engine, 1280).contains { $0 != 0 })
    engine.connect(mixer, to: mixer, format: format)
    engine.detach(player)
    #expect(player.engine == nil && engine.attachedNodes.count == 3)
    _ = try render(engine, 640)
  }

  @Test func `Calls in the wrong state give Apple's errors`() throws {
    func code(_ body: () throws -> Void) -> Int? {
      do {
        try body()
        return nil
      } catch { return (error as NSError).code }
    }
    let engine = AVAudioEngine()
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 5000))
    #expect(code { _ = try engine.renderOffline(1, to: buffer) } == -80800)
    try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 4096)
    #expect(code { _ = try engine.renderOffline(1, to: buffer) } == -80802)
    _ = engine.mainMixerNode
    try engine.start()
    #expect(engine.isRunning && engine.manualRenderingFormat == format)
    #expect(
      code {
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 1)
      } == -80801)
    #expect(code { _ = try engine.renderOffline(4097, to: buffer) } == -10874)
    #expect(code { _ = try engine.renderOffline(5001, to: buffer) } == -50)
    #expect(try engine.renderOffline(10, to: buffer) == .success)
    engine.stop()
    #expect(!engine.isRunning && engine.manualRenderingSampleTime == 0)
    engine.disableManualRenderingMode()
    #expect(!engine.isInManualRenderingMode)
  }
}

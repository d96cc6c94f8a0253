// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Foundation
import Synchronization
import Testing

/// Taps, sinks and inputs of engines.
@Suite struct AVAudioEngineTapTests {
  @Test func `A tap receives the samples of manual rendering`() async throws {
    let engine = try EngineScene.manualEngine()
    let player = AVAudioPlayerNode()
    engine.attach(player)
    let format = try EngineScene.format()
    engine.connect(player, to: engine.mainMixerNode, format: format)
    engine.mainMixerNode.outputVolume = 0.7
    let (mixed, out) = (EngineScene.Delivery(), EngineScene.Delivery())
    engine.mainMixerNode.installTap(onBus: 0, bufferSize: 480, format: nil, block: mixed.take)
    engine.outputNode.installTap(onBus: 0, bufferSize: 64, format: nil, block: out.take)
    player.scheduleBuffer(try EngineScene.sound(9000, step: 0.03, format))
    try engine.start()
    player.play()
    let found = try EngineScene.render(engine, 9600)
    #expect(await PlayedFiles.wait { mixed.calls == 20 && out.calls == 150 })
    #expect(found.contains { $0 != 0 } && found.elementsEqual(mixed.samples))
    #expect(found.elementsEqual(out.samples))
    #expect(mixed.starts == (0..<20).map { Int64(480 * $0) })
    #expect(mixed.hosts == 0 && engine.mainMixerNode.droppedFrameCount(onBus: 0) == 0)
  }

  @Test func `A tap has the format that is asked for`() async throws {
    let engine = try EngineScene.manualEngine()
    let player = AVAudioPlayerNode()
    engine.attach(player)
    let format = try EngineScene.format()
    engine.connect(player, to: engine.mainMixerNode, format: format)
    let delivery = EngineScene.Delivery()
    let narrow = try EngineScene.format(24_000, channels: 1)
    player.installTap(onBus: 0, bufferSize: 960, format: narrow) { buffer, time in
      #expect(buffer.format == narrow && time.sampleRate == 24_000)
      delivery.take(buffer, time)
    }
    player.scheduleBuffer(try EngineScene.sound(48_000, step: 0.03, format))
    try engine.start()
    player.play()
    _ = try EngineScene.render(engine, 48_000)
    #expect(await PlayedFiles.wait { delivery.samples.count >= 23_000 })
    #expect(delivery.samples.count <= 24_000 && delivery.samples.contains { abs($0) > 0.1 })
  }

  @Test func `A tap that was removed is not called any more`() async throws {
    let engine = EngineScene.engine()
    let player = AVAudioPlayerNode()
    engine.attach(player)
    let format = try EngineScene.format()
    engine.connect(player, to: engine.mainMixerNode, format: format)
    player.scheduleBuffer(try EngineScene.sound(480, step: 0.1, format), at: nil, options: .loops)
    try engine.start()
    player.play()
    let (first, second) = (EngineScene.Delivery(), EngineScene.Delivery())
    player.installTap(onBus: 0, bufferSize: 256, format: nil, block: first.take)
    #expect(await PlayedFiles.wait { first.samples.contains { $0 != 0 } })
    #expect(first.hosts == first.calls || first.hosts > 0)
    player.removeTap(onBus: 0)
    let count = first.calls
    player.installTap(onBus: 0, bufferSize: 256, format: nil, block: second.take)
    #expect(await PlayedFiles.wait { second.calls > 4 })
    #expect(first.calls == count)
    engine.stop()
  }

  @Test func `A slow tap loses frames, which are counted, and does not delay the sound`()
    async throws
  {
    let engine = EngineScene.engine()
    let gate = DispatchSemaphore(value: 0)
    let calls = Mutex(0)
    engine.mainMixerNode.installTap(onBus: 0, bufferSize: 16_384, format: nil) { _, _ in
      gate.wait()
      calls.withLock { $0 += 1 }
    }
    try engine.start()
    // Eight buffers wait for the closure, and a second in the ring.
    #expect(await PlayedFiles.wait { engine.mainMixerNode.droppedFrameCount(onBus: 0) > 0 })
    for _ in 0..<100 { gate.signal() }
    engine.mainMixerNode.removeTap(onBus: 0)
    engine.stop()
    #expect(calls.withLock { $0 } <= 100)
  }

  @Test func `A sink receives the sound of its input`() throws {
    let engine = try EngineScene.manualEngine()
    let player = AVAudioPlayerNode()
    let received = Mutex<[Float]>([])
    let sink = AVAudioSinkNode { _, count, list in
      let buffers = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: list))
      received.withLock { received in
        for frame in 0..<Int(count) {
          for buffer in buffers {
            received.append(UnsafeMutableBufferPointer<Float>(buffer)[frame])
          }
        }
      }
      return noErr
    }
    engine.attach(player)
    engine.attach(sink)
    let format = try EngineScene.format()
    engine.connect(
      player,
      to: [
        AVAudioConnectionPoint(node: engine.mainMixerNode, bus: 0),
        AVAudioConnectionPoint(node: sink, bus: 0),
      ], fromBus: 0, format: format)
    #expect(engine.outputConnectionPoints(for: player, outputBus: 0).count == 2)
    player.scheduleBuffer(try EngineScene.sound(1000, step: 0.1, format))
    try engine.start()
    player.play()
    let found = try EngineScene.render(engine, 1280)
    #expect(found.contains { $0 != 0 } && received.withLock { $0 } == found)
    #expect(sink.numberOfInputs == 1 && sink.numberOfOutputs == 0)
  }

  @Test func `The input of a device reaches a tap`() async throws {
    let engine = EngineScene.engine(channels: 1)
    let delivery = EngineScene.Delivery()
    #expect(engine.inputNode.inputFormat(forBus: 0).channelCount == 1)
    #expect(engine.inputNode.outputFormat(forBus: 0).sampleRate == 48_000)
    engine.inputNode.installTap(onBus: 0, bufferSize: 512, format: nil, block: delivery.take)
    try engine.start()
    #expect(await PlayedFiles.wait { delivery.samples.contains { abs($0 - 0.25) < 0.01 } })
    engine.stop()
  }

  @Test func `An input that is used after the preparation is opened by the start`() async throws {
    let engine = EngineScene.engine(channels: 2)
    let delivery = EngineScene.Delivery()
    _ = engine.mainMixerNode
    engine.prepare()
    engine.connect(engine.inputNode, to: engine.mainMixerNode, format: nil)
    engine.mainMixerNode.installTap(onBus: 0, bufferSize: 512, format: nil, block: delivery.take)
    try engine.start()
    #expect(await PlayedFiles.wait { delivery.samples.contains { abs($0 - 0.25) < 0.01 } })
    engine.disconnectNodeOutput(engine.inputNode)
    engine.pause()
    try engine.start()
    #expect(engine.isRunning)
    engine.stop()
  }

  @Test func `An input that does not exist is an error of the start`() throws {
    let engine = EngineScene.engine()
    #expect(engine.inputNode.inputFormat(forBus: 0).channelCount == 0)
    try engine.start()
    engine.stop()
    engine.connect(engine.inputNode, to: engine.mainMixerNode, format: nil)
    #expect(throws: NSError.self) { try engine.start() }
    #expect(!engine.isRunning)
    engine.disconnectNodeOutput(engine.inputNode)
    try engine.start()
    engine.stop()
  }

  @Test func `The program provides the input of manual rendering`() throws {
    let engine = try EngineScene.manualEngine()
    let format = try EngineScene.format()
    let buffer = try EngineScene.sound(64, step: 0.1, format)
    let wrong = try EngineScene.format(44_100)
    #expect(!engine.inputNode.setManualRenderingInputPCMFormat(wrong) { _ in nil })
    nonisolated(unsafe) var isEmpty = false
    let isSet = engine.inputNode.setManualRenderingInputPCMFormat(format) { count in
      #expect(count == 64)
      return isEmpty ? nil : buffer.audioBufferList
    }
    #expect(isSet && engine.inputNode.outputFormat(forBus: 0) == format)
    engine.connect(engine.inputNode, to: engine.mainMixerNode, format: nil)
    try engine.start()
    let found = try EngineScene.render(engine, 640)
    let expected = (0..<10).flatMap { _ in EngineScene.samples(buffer) }
    #expect(found.elementsEqual(expected))
    isEmpty = true
    let rest = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 64))
    #expect(try engine.renderOffline(64, to: rest) == .insufficientDataFromInputNode)
    #expect(EngineScene.samples(rest).allSatisfy { $0 == 0 })
  }
}

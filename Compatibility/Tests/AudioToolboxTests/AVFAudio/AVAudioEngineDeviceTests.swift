// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Foundation
import Synchronization
import TestSupport
import Testing

/// Engines on the null output, in real time.
@Suite struct AVAudioEngineDeviceTests {
  @Test func `A scheduled buffer is played to its end, and its handler is called`() async throws {
    let engine = EngineScene.engine()
    let player = AVAudioPlayerNode()
    engine.attach(player)
    let format = try EngineScene.format()
    engine.connect(player, to: engine.mainMixerNode, format: format)
    #expect(!engine.isRunning && player.lastRenderTime == nil)
    engine.prepare()
    try engine.start()
    #expect(engine.isRunning && engine.outputNode.presentationLatency == 0)
    let ends = Mutex<[Int]>([])
    player.scheduleBuffer(try EngineScene.sound(2400, step: 0.1, format)) {
      ends.withLock { $0.append(1) }
    }
    player.scheduleBuffer(
      try EngineScene.sound(2400, step: 0.2, format), completionCallbackType: .dataPlayedBack
    ) { type in
      #expect(type == .dataPlayedBack)
      ends.withLock { $0.append(2) }
    }
    let delivery = EngineScene.Delivery()
    engine.mainMixerNode.installTap(onBus: 0, bufferSize: 512, format: nil, block: delivery.take)
    player.play()
    #expect(await PlayedFiles.wait { ends.withLock { $0 } == [1, 2] })
    #expect(await PlayedFiles.wait { (player.lastRenderTime?.isHostTimeValid ?? false) })
    let time = try #require(player.lastRenderTime)
    #expect(time.sampleTime > 0 && time.sampleRate == 48_000)
    #expect(try #require(player.playerTime(forNodeTime: time)).sampleTime >= 4800)
    engine.stop()
    #expect(!engine.isRunning && player.lastRenderTime == nil)
    // The sound of both buffers, without a gap.
    let samples = delivery.samples
    let start = try #require(samples.firstIndex { $0 != 0 }) / 2 * 2
    let first = EngineScene.samples(try EngineScene.sound(2400, step: 0.1, format))
    #expect(samples.dropFirst(start).prefix(1000).elementsEqual(first.prefix(1000)))
  }

  @Test func `A paused engine continues at its frame`() async throws {
    let engine = EngineScene.engine()
    let player = AVAudioPlayerNode()
    engine.attach(player)
    let format = try EngineScene.format()
    engine.connect(player, to: engine.mainMixerNode, format: format)
    player.scheduleBuffer(try EngineScene.sound(480, step: 0.1, format), at: nil, options: .loops)
    player.play()
    try engine.start()
    #expect(await PlayedFiles.wait { (player.lastRenderTime?.sampleTime ?? 0) > 2000 })
    engine.pause()
    #expect(!engine.isRunning && player.isPlaying)
    try engine.start()
    #expect(try #require(player.lastRenderTime).sampleTime >= 2000)
    engine.reset()
    #expect(engine.isRunning)
    engine.stop()
    try engine.start()
    engine.stop()
  }

  @Test func `A stop of the engine reports the buffers that were rendered`() async throws {
    let engine = EngineScene.engine()
    let player = AVAudioPlayerNode()
    engine.attach(player)
    let format = try EngineScene.format()
    engine.connect(player, to: engine.mainMixerNode, format: format)
    let ends = Mutex(0)
    for _ in 0..<20 {
      player.scheduleBuffer(try EngineScene.sound(100, step: 0.1, format)) {
        ends.withLock { $0 += 1 }
      }
    }
    player.play()
    // A restart keeps the buffers that were not rendered.
    for _ in 0..<3 {
      try engine.start()
      #expect(await PlayedFiles.wait { (player.lastRenderTime?.sampleTime ?? 0) >= 256 })
      engine.stop()
    }
    try engine.start()
    #expect(await PlayedFiles.wait { ends.withLock { $0 } == 20 })
    engine.stop()
    #expect(ends.withLock { $0 } == 20)
  }

  @Test func `A lost device stops the engine, which can be started again`() async throws {
    let loss = EngineScene.Loss()
    let engine = EngineScene.engine(loss)
    let notices = Mutex(0)
    let token = NotificationCenter.default.addObserver(
      forName: .AVAudioEngineConfigurationChange, object: engine, queue: nil
    ) { _ in notices.withLock { $0 += 1 } }
    defer { NotificationCenter.default.removeObserver(token) }
    _ = engine.mainMixerNode
    try engine.start()
    loss.isLost = true
    #expect(await PlayedFiles.wait { notices.withLock { $0 } == 1 })
    #expect(!engine.isRunning && engine.attachedNodes.count == 2)
    loss.isLost = false
    try engine.start()
    #expect(engine.isRunning)
    engine.stop()
    #expect(notices.withLock { $0 } == 1)
  }

  @Test func `The block of manual rendering renders without a wait`() throws {
    let engine = try EngineScene.manualEngine(.realtime)
    let player = AVAudioPlayerNode()
    engine.attach(player)
    let format = try EngineScene.format()
    engine.connect(player, to: engine.mainMixerNode, format: format)
    let sound = try EngineScene.sound(1000, step: 0.1, format)
    player.scheduleBuffer(sound)
    let block = engine.manualRenderingBlock
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4096))
    buffer.frameLength = 1000
    var status: OSStatus = 0
    #expect(block(1000, buffer.mutableAudioBufferList, &status) == .error && status == -80802)
    try engine.start()
    player.play()
    #expect(block(5000, buffer.mutableAudioBufferList, &status) == .error && status == -10874)
    let list = UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList)
    let size = list[1].mDataByteSize
    list[1].mDataByteSize = 3999
    #expect(block(1000, buffer.mutableAudioBufferList, &status) == .error && status == -50)
    list[1].mDataByteSize = size
    var found: [Float] = []
    for _ in 0..<2 {
      buffer.frameLength = 500
      #expect(block(500, buffer.mutableAudioBufferList, &status) == .success && status == 0)
      found += EngineScene.samples(buffer)
    }
    #expect(found.elementsEqual(EngineScene.samples(sound)))
    #expect(engine.manualRenderingSampleTime == 1000)
    engine.stop()
    #expect(block(500, buffer.mutableAudioBufferList, nil) == .error)
  }

  @Test func `A circle is refused, and the connections stay`() throws {
    let engine = try EngineScene.manualEngine()
    let mixers = (0..<3).map { _ in AVAudioMixerNode() }
    for mixer in mixers { engine.attach(mixer) }
    engine.connect(mixers[0], to: mixers[1], format: nil)
    engine.connect(mixers[1], to: mixers[2], format: nil)
    engine.connect(mixers[2], to: engine.mainMixerNode, format: nil)
    #expect(engine.connectionError == nil)
    engine.connect(mixers[2], to: mixers[0], format: nil)
    #expect(engine.connectionError?.code == -10861)
    #expect(
      engine.outputConnectionPoints(for: mixers[2], outputBus: 0).map(\.node) == [
        engine.mainMixerNode
      ])
    #expect(engine.inputConnectionPoint(for: mixers[0], inputBus: 0) == nil)
    engine.connect(mixers[0], to: mixers[0], format: nil)
    #expect(engine.connectionError != nil)
    engine.connect(
      mixers[2],
      to: [
        AVAudioConnectionPoint(node: engine.mainMixerNode, bus: 3),
        AVAudioConnectionPoint(node: mixers[1], bus: 1),
      ], fromBus: 0, format: nil)
    #expect(engine.connectionError != nil)
    #expect(engine.inputConnectionPoint(for: engine.mainMixerNode, inputBus: 3) == nil)
    try engine.start()
    #expect(engine.isRunning)
  }

  @Test func `Two threads change two engines at random`() async throws {
    let format = try EngineScene.format()
    let engines = [EngineScene.engine(), EngineScene.engine(channels: 2)]
    let players = (0..<3).map { _ in AVAudioPlayerNode() }
    let mixers = (0..<3).map { _ in AVAudioMixerNode() }
    let sound = try EngineScene.sound(300, step: 0.1, format)
    nonisolated(unsafe) let shared = (engines, players, mixers, sound, format)
    await withTaskGroup(of: Void.self) { group in
      for seed in 0..<2 {
        group.addTask {
          var random = SplitMix(seed: UInt64(seed))
          for _ in 0..<1000 {
            Self.act(shared.0, shared.1, shared.2, shared.3, shared.4, &random)
          }
        }
      }
    }
    for engine in engines { engine.stop() }
    // A node is in one engine at most.
    for node in players + mixers {
      let owners = engines.filter { $0.attachedNodes.contains(node) }
      #expect(owners.count <= 1 && (owners.isEmpty || owners[0] === node.engine))
    }
  }

  private static func act(
    _ engines: [AVAudioEngine], _ players: [AVAudioPlayerNode], _ mixers: [AVAudioMixerNode],
    _ sound: AVAudioPCMBuffer, _ format: AVAudioFormat, _ random: inout SplitMix
  ) {
    let engine = engines[Int.random(in: 0..<2, using: &random)]
    let player = players[Int.random(in: 0..<3, using: &random)]
    let mixer = mixers[Int.random(in: 0..<3, using: &random)]
    let other = mixers[Int.random(in: 0..<3, using: &random)]
    switch Int.random(in: 0..<16, using: &random) {
    case 0: engine.attach(player)
    case 1: engine.attach(mixer)
    case 2: engine.detach(Bool.random(using: &random) ? player : mixer)
    case 3: engine.connect(player, to: mixer, format: format)
    case 4: engine.connect(mixer, to: other, format: nil)
    case 5: engine.connect(mixer, to: engine.mainMixerNode, format: format)
    case 6: engine.disconnectNodeInput(mixer)
    case 7: player.installTap(onBus: 0, bufferSize: 128, format: nil) { _, _ in }
    case 8: (Bool.random(using: &random) ? player : mixer).removeTap(onBus: 0)
    case 9: mixer.installTap(onBus: 0, bufferSize: 64, format: nil) { _, _ in }
    case 10: player.scheduleBuffer(sound, at: nil, options: .interrupts)
    case 11: Bool.random(using: &random) ? player.play() : player.stop()
    case 12: do { try engine.start() } catch {}
    case 13: Bool.random(using: &random) ? engine.stop() : engine.pause()
    case 14: player.volume = Float.random(in: 0...1, using: &random)
    default: _ = player.lastRenderTime.flatMap { player.playerTime(forNodeTime: $0) }
    }
  }
}

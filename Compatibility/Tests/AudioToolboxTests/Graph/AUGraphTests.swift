// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation
import Synchronization
import TestSupport
import Testing

/// Graphs of audio units, as programs for Apple's systems use them.
@Suite struct AUGraphTests {
  static func description(_ type: OSType, _ subtype: OSType) -> AudioComponentDescription {
    AudioComponentDescription(
      componentType: type, componentSubType: subtype,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
      componentFlagsMask: 0)
  }

  /// A graph of render callbacks, a mixer, and an output that the program renders.
  final class Studio {
    var graph: AUGraph?
    var mixer: AUNode = 0
    var output: AUNode = 0
    private let levels = UnsafeMutablePointer<Float>.allocate(capacity: 2)

    init() {
      NewAUGraph(&graph)
      var mixing = AUGraphTests.description(
        kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
      var generic = AUGraphTests.description(
        kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)
      AUGraphAddNode(graph, &mixing, &mixer)
      AUGraphAddNode(graph, &generic, &output)
      AUGraphConnectNodeInput(graph, mixer, 0, output, 0)
      levels[0] = 0.5
      levels[1] = 0.25
      for bus in 0..<2 {
        var callback = AURenderCallbackStruct(
          inputProc: { data, _, _, _, frames, list in
            let level = data.assumingMemoryBound(to: Float.self).pointee
            let buffers = AUGraphTests.buffers(list)
            for buffer in buffers {
              let samples = buffer.mData?.assumingMemoryBound(to: Float.self)
              for frame in 0..<Int(frames) { samples?[frame] = level }
            }
            return 0
          }, inputProcRefCon: levels + bus)
        AUGraphSetNodeInputCallback(graph, mixer, UInt32(bus), &callback)
      }
    }

    deinit {
      DisposeAUGraph(graph)
      levels.deallocate()
    }

    func unit(_ node: AUNode) -> AudioUnit? {
      var unit: AudioUnit?
      AUGraphNodeInfo(graph, node, nil, &unit)
      return unit
    }

    /// The status and the last frame of a slice.
    func render(_ frames: Int = 512) -> (OSStatus, Float, Float) {
      AUGraphTests.render(unit(output), frames)
    }
  }

  static func buffers(_ list: UnsafeMutablePointer<AudioBufferList>?) -> [AudioBuffer] {
    guard let list else { return [] }
    let first = UnsafeMutableRawPointer(list) + 8
    return (0..<Int(list.pointee.mNumberBuffers)).map {
      (first + $0 * MemoryLayout<AudioBuffer>.stride).load(as: AudioBuffer.self)
    }
  }

  static func render(_ unit: AudioUnit?, _ frames: Int, at time: Double = 0) -> (
    OSStatus, Float, Float
  ) {
    let (status, left, right) = samples(unit, frames, at: time)
    return (status, left.last ?? 0, right.last ?? 0)
  }

  static func samples(
    _ unit: AudioUnit?, _ frames: Int, at time: Double
  ) -> (OSStatus, [Float], [Float]) {
    var left = [Float](repeating: 9, count: frames)
    var right = left
    var stamp = AudioTimeStamp()
    stamp.mSampleTime = time
    stamp.mFlags = .sampleTimeValid
    let status = left.withUnsafeMutableBytes { left in
      right.withUnsafeMutableBytes { right in
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 40, alignment: 8)
        defer { memory.deallocate() }
        memory.storeBytes(of: 2, as: UInt32.self)
        for (index, bytes) in [left, right].enumerated() {
          let buffer = AudioBuffer(
            mNumberChannels: 1, mDataByteSize: UInt32(bytes.count), mData: bytes.baseAddress)
          (memory + 8 + 16 * index).storeBytes(of: buffer, as: AudioBuffer.self)
        }
        return AudioUnitRender(
          unit, nil, &stamp, 0, UInt32(frames),
          memory.assumingMemoryBound(to: AudioBufferList.self))
      }
    }
    return (status, left, right)
  }

  @Test func `A generic output renders callbacks through a mixer`() {
    let studio = Studio()
    #expect(studio.render().0 == -50)
    #expect(AUGraphOpen(studio.graph) == 0)
    #expect(studio.render().0 == kAudioUnitErr_Uninitialized)
    #expect(AUGraphInitialize(studio.graph) == 0)
    _ = studio.render()
    let (status, left, right) = studio.render()
    #expect(status == 0)
    #expect(left == 0.75 && right == 0.75)
    #expect(studio.render(2000).0 == kAudioUnitErr_TooManyFramesToProcess)
  }

  @Test func `Volume, pan and switch of a mixer change the sound without a step`() {
    let studio = Studio()
    AUGraphOpen(studio.graph)
    AUGraphInitialize(studio.graph)
    let mixer = studio.unit(studio.mixer)
    _ = studio.render()
    #expect(
      AudioUnitSetParameter(mixer, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 0, 0.5, 0)
        == 0)
    #expect(
      AudioUnitSetParameter(mixer, kMultiChannelMixerParam_Pan, kAudioUnitScope_Input, 1, -1, 0)
        == 0)
    let (_, lefts, rights) = Self.samples(studio.unit(studio.output), 512, at: 512)
    #expect(zip(lefts, lefts.dropFirst()).allSatisfy { abs($0 - $1) < 0.01 })
    #expect(abs((lefts.last ?? 0) - 0.5) < 1e-5 && abs((rights.last ?? 0) - 0.25) < 1e-5)
    #expect(
      AudioUnitSetParameter(mixer, kMultiChannelMixerParam_Enable, kAudioUnitScope_Input, 0, 0, 0)
        == 0)
    let (_, left, right) = studio.render()
    #expect(abs(left - 0.25) < 1e-5 && abs(right) < 1e-5)
    var value: Float = 0
    #expect(
      AudioUnitGetParameter(mixer, kMultiChannelMixerParam_Pan, kAudioUnitScope_Input, 1, &value)
        == 0)
    #expect(value == -1)
    #expect(
      AudioUnitSetParameter(mixer, 77, kAudioUnitScope_Input, 0, 1, 0)
        == kAudioUnitErr_InvalidParameter)
    #expect(
      AudioUnitSetParameter(mixer, 0, kAudioUnitScope_Input, 900, 1, 0)
        == kAudioUnitErr_InvalidElement)
  }

  @Test func `Edits of a running graph wait for an update`() {
    let studio = Studio()
    AUGraphOpen(studio.graph)
    AUGraphInitialize(studio.graph)
    AUGraphStart(studio.graph)
    _ = studio.render()
    #expect(AUGraphDisconnectNodeInput(studio.graph, studio.mixer, 0) == 0)
    #expect(studio.render().1 == 0.75)
    var isUpdated: DarwinBoolean = false
    #expect(AUGraphUpdate(studio.graph, &isUpdated) == 0)
    #expect(isUpdated.boolValue)
    #expect(studio.render().1 == 0.25)
    #expect(AUGraphRemoveNode(studio.graph, studio.output) == kAUGraphErr_CannotDoInCurrentContext)
    var isRunning: DarwinBoolean = false
    AUGraphIsRunning(studio.graph, &isRunning)
    #expect(isRunning.boolValue)
    #expect(AUGraphStop(studio.graph) == 0)
    AUGraphIsRunning(studio.graph, &isRunning)
    #expect(!isRunning.boolValue)
  }

  @Test func `Connections and callbacks are listed in the order in which they were made`() {
    let studio = Studio()
    var count: UInt32 = 0
    #expect(AUGraphGetNumberOfInteractions(studio.graph, &count) == 0)
    #expect(count == 3)
    var interaction = AUNodeInteraction()
    #expect(AUGraphGetInteractionInfo(studio.graph, 0, &interaction) == 0)
    #expect(interaction.nodeInteractionType == kAUNodeInteraction_Connection)
    #expect(interaction.nodeInteraction.connection.destNode == studio.output)
    #expect(AUGraphGetInteractionInfo(studio.graph, 3, &interaction) == -50)
    #expect(AUGraphCountNodeInteractions(studio.graph, studio.output, &count) == 0)
    #expect(count == 1)
    #expect(AUGraphGetNodeCount(studio.graph, &count) == 0)
    #expect(count == 2)
    #expect(AUGraphRemoveNode(studio.graph, studio.mixer) == 0)
    #expect(AUGraphGetNumberOfInteractions(studio.graph, &count) == 0)
    #expect(count == 0)
    #expect(AUGraphClearConnections(studio.graph) == 0)
  }

  @Test func `Ends in use, cycles and second outputs are refused`() {
    let studio = Studio()
    let graph = studio.graph
    #expect(
      AUGraphConnectNodeInput(graph, studio.mixer, 0, studio.output, 0)
        == kAUGraphErr_InvalidConnection)
    #expect(
      AUGraphConnectNodeInput(graph, studio.output, 0, studio.mixer, 5)
        == kAUGraphErr_InvalidConnection)
    #expect(
      AUGraphConnectNodeInput(graph, studio.mixer, 0, studio.mixer, 5)
        == kAUGraphErr_InvalidConnection)
    #expect(AUGraphConnectNodeInput(graph, 99, 0, studio.mixer, 5) == kAUGraphErr_NodeNotFound)
    #expect(AUGraphDisconnectNodeInput(graph, studio.mixer, 7) == kAUGraphErr_InvalidConnection)
    var node: AUNode = 0
    var second = Self.description(kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput)
    #expect(AUGraphAddNode(graph, &second, &node) == kAUGraphErr_OutputNodeErr)
    var unknown = Self.description(0x3F3F_3F3F, 0)
    #expect(AUGraphAddNode(graph, &unknown, &node) == kAUGraphErr_InvalidAudioUnit)
    #expect(AUGraphRemoveNode(graph, 99) == kAUGraphErr_NodeNotFound)
  }

  @Test func `Render notifications are called before and after a slice, until they are removed`() {
    final class Log: Sendable {
      let flags = Mutex<[UInt32]>([])
    }
    let log = Log()
    let studio = Studio()
    AUGraphOpen(studio.graph)
    AUGraphInitialize(studio.graph)
    let notify: AURenderCallback = { data, flags, _, _, _, _ in
      let flags = flags.pointee.rawValue
      Unmanaged<Log>.fromOpaque(data).takeUnretainedValue().flags.withLock { $0.append(flags) }
      return 0
    }
    let data = Unmanaged.passUnretained(log).toOpaque()
    #expect(AUGraphAddRenderNotify(studio.graph, notify, data) == 0)
    #expect(AudioUnitAddRenderNotify(studio.unit(studio.mixer), notify, data) == 0)
    _ = studio.render()
    #expect(log.flags.withLock { $0 } == [4, 4, 8, 8])
    #expect(AUGraphRemoveRenderNotify(studio.graph, notify, data) == 0)
    #expect(AudioUnitRemoveRenderNotify(studio.unit(studio.mixer), notify, data) == 0)
    _ = studio.render()
    #expect(log.flags.withLock { $0.count } == 4)
  }

  @Test func `On a device or the null output, callbacks are called in real time`()
    async throws
  {
    final class Count: Sendable {
      let frames = Mutex(0)
    }
    let count = Count()
    var graph: AUGraph?
    NewAUGraph(&graph)
    defer { DisposeAUGraph(graph) }
    var output: AUNode = 0
    var device = Self.description(kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput)
    AUGraphAddNode(graph, &device, &output)
    var callback = AURenderCallbackStruct(
      inputProc: { data, _, _, _, frames, _ in
        Unmanaged<Count>.fromOpaque(data).takeUnretainedValue().frames.withLock {
          $0 += Int(frames)
        }
        return 0
      }, inputProcRefCon: Unmanaged.passUnretained(count).toOpaque())
    AUGraphSetNodeInputCallback(graph, output, 0, &callback)
    AUGraphOpen(graph)
    #expect(AUGraphStart(graph) == kAudioUnitErr_Uninitialized)
    AUGraphInitialize(graph)
    #expect(AUGraphStart(graph) == 0)
    #expect(await wait { count.frames.withLock { $0 } > 1000 })
    #expect(AUGraphStop(graph) == 0)
    let heard = count.frames.withLock { $0 }
    try await Task.sleep(for: .milliseconds(50))
    #expect(count.frames.withLock { $0 } == heard)
  }

  @Test func `Properties are read and set, and fixed properties are refused`() {
    let studio = Studio()
    AUGraphOpen(studio.graph)
    let mixer = studio.unit(studio.mixer)
    var count: UInt32 = 12
    #expect(
      AudioUnitSetProperty(
        mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, &count, 4) == 0)
    count = 0
    var size: UInt32 = 4
    #expect(
      AudioUnitGetProperty(
        mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, &count, &size) == 0)
    #expect(count == 12)
    var format = AudioStreamBasicDescription()
    size = 40
    #expect(
      AudioUnitGetProperty(
        mixer, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &format, &size) == 0)
    #expect(format.mSampleRate == 44_100 && format.mChannelsPerFrame == 2)
    format.mSampleRate = 48_000
    #expect(
      AudioUnitSetProperty(
        mixer, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &format, 40) == 0)
    format.mFormatFlags = 0
    #expect(
      AudioUnitSetProperty(
        mixer, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &format, 40)
        == kAudioUnitErr_FormatNotSupported)
    AUGraphInitialize(studio.graph)
    count = 3
    #expect(
      AudioUnitSetProperty(
        mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, &count, 4)
        == kAudioUnitErr_Initialized)
    #expect(AudioUnitSetProperty(mixer, 12345, 0, 0, &count, 4) == kAudioUnitErr_InvalidProperty)
    #expect(
      AudioUnitSetProperty(mixer, kAudioUnitProperty_Latency, 0, 0, &format, 8)
        == kAudioUnitErr_PropertyNotWritable)
    size = 1
    #expect(AudioUnitGetProperty(mixer, kAudioUnitProperty_SampleRate, 0, 0, &format, &size) == -50)
  }

  @Test func `Components are found one after another, and units are created from them`() {
    var any = AudioComponentDescription()
    #expect(AudioComponentCount(&any) == 13)
    var mixers = Self.description(kAudioUnitType_Mixer, 0)
    var found: AudioComponent?
    var count = 0
    while let next = AudioComponentFindNext(found, &mixers) {
      found = next
      count += 1
      var description = AudioComponentDescription()
      #expect(AudioComponentGetDescription(next, &description) == 0)
      #expect(description.componentType == kAudioUnitType_Mixer)
    }
    #expect(count == 3)
    var unit: AudioUnit?
    #expect(AudioComponentInstanceNew(found, &unit) == 0)
    #expect(AudioComponentInstanceGetComponent(unit) == found)
    #expect(AudioComponentInstanceDispose(unit) == 0)
    #expect(AudioComponentInstanceDispose(unit) == -50)
    #expect(AudioComponentInstanceNew(nil, &unit) == -50)
  }

  @Test func `Handles that are nil, stale or of other objects give error codes`() {
    var graph: AUGraph?
    NewAUGraph(&graph)
    DisposeAUGraph(graph)
    var clock: CAClockRef?
    CAClockNew(0, &clock)
    defer { CAClockDispose(clock) }
    for wrong in [nil, graph, clock, OpaquePointer(bitPattern: 8)] {
      #expect(AUGraphOpen(wrong) == -50)
      #expect(DisposeAUGraph(wrong) == -50)
      #expect(AUGraphUpdate(wrong, nil) == -50)
      #expect(AudioUnitInitialize(wrong) == -50)
      #expect(MusicDeviceMIDIEvent(wrong, 0x90, 60, 100, 0) == -50)
      #expect(AudioOutputUnitStart(wrong) == -50)
      #expect(Self.render(wrong, 64).0 == -50)
    }
  }
}

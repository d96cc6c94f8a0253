// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import Foundation
import TestSupport

/// Where the buffers of a list begin.
private let bufferOffset = 8

/// The functions of AUGraph.h and of audio units, called in any order with any handles, nodes,
/// properties and buffers; what is rendered is pulled through generic outputs.
@safe struct GraphCallTarget: FuzzTarget {
  private var graphs: [AUGraph?] = unsafe [nil]
  private var units: [AudioUnit?] = unsafe [nil]
  private let font: NSURL
  private var (done, refused, rendered) = (0, 0, 0)

  private static let codes: Set<OSStatus> = Set(-10879...(-10847)).union([0, -4, -50, -108])
  /// Types and subtypes, those that need no soundfont more often.
  private static let kinds: [(OSType, OSType)] = [
    (kAudioUnitType_Output, kAudioUnitSubType_GenericOutput),
    (kAudioUnitType_Output, kAudioUnitSubType_GenericOutput),
    (kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer),
    (kAudioUnitType_Mixer, kAudioUnitSubType_StereoMixer),
    (kAudioUnitType_Mixer, kAudioUnitSubType_MatrixMixer),
    (kAudioUnitType_Effect, kAudioUnitSubType_DynamicsProcessor),
    (kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter),
    (kAudioUnitType_MusicDevice, kAudioUnitSubType_DLSSynth),
    (kAudioUnitType_MusicDevice, kAudioUnitSubType_Sampler),
    (kAudioUnitType_MusicDevice, 7),
  ]
  /// Those that hold no address but a unit's.
  private static let properties: [AudioUnitPropertyID] = [
    kAudioUnitProperty_MakeConnection, kAudioUnitProperty_SampleRate,
    kAudioUnitProperty_StreamFormat, kAudioUnitProperty_ElementCount, kAudioUnitProperty_Latency,
    kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitProperty_TailTime,
    kAudioUnitProperty_BypassEffect, kAudioUnitProperty_LastRenderError,
    kAudioOutputUnitProperty_IsRunning, kAudioOutputUnitProperty_EnableIO,
    kMusicDeviceProperty_UsesInternalReverb, kAUMIDISynthProperty_EnablePreload, 4711,
  ]

  init(_ scene: FuzzScene) throws {
    let file = scene.folder.appendingPathComponent("tiny.sf2")
    try Data(TinySoundFont.bytes).write(to: file)
    font = NSURL(fileURLWithPath: file.path)
  }

  var tally: String { "\(done) done, \(refused) refused, \(rendered) slices rendered" }

  mutating func attack(_ random: inout SplitMix) throws {
    for _ in 0..<8 {
      let status = call(&random)
      if status == noErr { done += 1 } else { refused += 1 }
      try FuzzFault.unless(Self.codes.contains(status), "status \(status)")
    }
  }

  private mutating func call(_ random: inout SplitMix) -> OSStatus {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<4: return make(&random)
    case 4..<20: return wire(&random)
    case 20..<34: return state(&random)
    case 34..<50: return ask(&random)
    case 50..<70: return property(&random)
    case 70..<80: return parameter(&random)
    case 80..<88: return play(&random)
    default: return render(&random)
    }
  }

  // MARK: What is called

  private func graph(_ random: inout SplitMix) -> AUGraph? {
    unsafe any(graphs, &random)
  }

  private func unit(_ random: inout SplitMix) -> AudioUnit? {
    unsafe any(units, &random)
  }

  private func any(_ handles: [OpaquePointer?], _ random: inout SplitMix) -> OpaquePointer? {
    switch Int.random(in: 0..<40, using: &random) {
    case 0: return unsafe OpaquePointer(bitPattern: UInt(truncatingIfNeeded: random.next()))
    case 1: return unsafe (graphs + units).randomElement(using: &random) ?? nil
    case 2..<10: return unsafe handles.randomElement(using: &random) ?? nil
    default: return unsafe handles.suffix(3).randomElement(using: &random) ?? nil
    }
  }

  /// Mostly a node that the graph has.
  private func node(_ graph: AUGraph?, _ random: inout SplitMix) -> AUNode {
    var (count, node) = (UInt32(0), AUNode(0))
    unsafe AUGraphGetNodeCount(graph, &count)
    if count == 0 || Int.random(in: 0..<10, using: &random) == 0 {
      return AUNode(truncatingIfNeeded: random.next() >> UInt64.random(in: 32..<64, using: &random))
    }
    unsafe AUGraphGetIndNode(graph, UInt32.random(in: 0..<count, using: &random), &node)
    return node
  }

  private func description(_ random: inout SplitMix) -> AudioComponentDescription {
    let (type, subtype) = Self.kinds.randomElement(using: &random) ?? (0, 0)
    return AudioComponentDescription(
      componentType: type, componentSubType: subtype,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
      componentFlagsMask: 0)
  }

  private mutating func make(_ random: inout SplitMix) -> OSStatus {
    var handle: OpaquePointer?
    let status: OSStatus
    switch Int.random(in: 0..<8, using: &random) {
    case 0...1:
      status = unsafe NewAUGraph(&handle)
      unsafe graphs.append(handle)
    case 2...3:
      var description = description(&random)
      status = unsafe AudioComponentInstanceNew(
        AudioComponentFindNext(nil, &description), &handle)
      unsafe units.append(handle)
    case 4: status = unsafe DisposeAUGraph(graph(&random))
    case 5: status = unsafe AudioComponentInstanceDispose(unit(&random))
    default:
      var graphOfNode: AUGraph?
      let graph = unsafe graph(&random)
      let node = unsafe node(graph, &random)
      status = unsafe AUGraphNodeInfo(graph, node, nil, &handle)
      if status == noErr { unsafe units.append(handle) }
      unsafe AUGraphGetNodeInfoSubGraph(graph, node, &graphOfNode)
      if unsafe graphOfNode != nil { unsafe graphs.append(graphOfNode) }
    }
    // What is forgotten is freed first, or was the graph's own.
    if unsafe graphs.count > 6 { unsafe DisposeAUGraph(graphs.remove(at: 1)) }
    if unsafe units.count > 12 { unsafe AudioComponentInstanceDispose(units.remove(at: 1)) }
    return status
  }

  private func wire(_ random: inout SplitMix) -> OSStatus {
    let graph = unsafe graph(&random)
    var (one, other) = unsafe (node(graph, &random), node(graph, &random))
    let (output, input) = (
      UInt32.random(in: 0...1, using: &random), UInt32.random(in: 0...3, using: &random)
    )
    var description = description(&random)
    var count: UInt32 = 0
    unsafe AUGraphGetNodeCount(graph, &count)
    if count > 12 { return unsafe AUGraphRemoveNode(graph, one) }
    switch Int.random(in: 0..<12, using: &random) {
    case 0...3: return unsafe AUGraphAddNode(graph, &description, &one)
    case 4: return unsafe AUGraphRemoveNode(graph, one)
    case 5...7: return unsafe AUGraphConnectNodeInput(graph, one, output, other, input)
    case 8: return unsafe AUGraphDisconnectNodeInput(graph, other, input)
    case 9:
      return unsafe Int.random(in: 0..<4, using: &random) == 0
        ? AUGraphClearConnections(graph) : AUGraphNewNodeSubGraph(graph, &other)
    default:
      var function = unsafe AURenderCallbackStruct(inputProc: Self.fill, inputProcRefCon: nil)
      return unsafe AUGraphSetNodeInputCallback(graph, other, input, &function)
    }
  }

  /// Fills buffers to their ends, so that one that is shorter than it says is found out.
  private static let fill: AURenderCallback = { _, _, _, _, _, list in
    guard let list = unsafe list else { return noErr }
    let buffers = unsafe UnsafeMutableRawPointer(list) + bufferOffset
    for index in 0..<(unsafe Int(list.pointee.mNumberBuffers)) {
      let buffer = unsafe buffers.assumingMemoryBound(to: AudioBuffer.self)[index]
      unsafe buffer.mData?.initializeMemory(
        as: UInt8.self, repeating: 0, count: Int(buffer.mDataByteSize))
    }
    return noErr
  }

  private func state(_ random: inout SplitMix) -> OSStatus {
    let (graph, unit) = unsafe (graph(&random), unit(&random))
    switch Int.random(in: 0..<14, using: &random) {
    case 0...2: return unsafe AUGraphOpen(graph)
    case 3...5: return unsafe AUGraphInitialize(graph)
    case 6: return unsafe AUGraphUninitialize(graph)
    case 7: return unsafe AUGraphClose(graph)
    case 8: return unsafe AUGraphStart(graph)
    case 9: return unsafe AUGraphStop(graph)
    case 10: return unsafe AUGraphUpdate(graph, nil)
    case 11: return unsafe AudioUnitInitialize(unit)
    case 12: return unsafe AudioUnitUninitialize(unit)
    default: return unsafe AudioUnitReset(unit, 0, 0)
    }
  }

  private func ask(_ random: inout SplitMix) -> OSStatus {
    let graph = unsafe graph(&random)
    let node = unsafe node(graph, &random)
    var (count, load, flag) = (
      UInt32.random(in: 0...4, using: &random), Float(0), DarwinBoolean(false)
    )
    // Room for just as many as it says.
    var found = unsafe [AUNodeInteraction](repeating: AUNodeInteraction(), count: Int(count))
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return unsafe AUGraphIsRunning(graph, &flag)
    case 1: return unsafe AUGraphIsInitialized(graph, &flag)
    case 2: return unsafe AUGraphGetCPULoad(graph, &load)
    case 3: return unsafe AUGraphGetNumberOfInteractions(graph, &count)
    case 4: return unsafe AUGraphCountNodeInteractions(graph, node, &count)
    case 5: return unsafe AUGraphIsNodeSubGraph(graph, node, &flag)
    case 6:
      var one = unsafe AUNodeInteraction()
      return unsafe AUGraphGetInteractionInfo(graph, count, &one)
    default: return unsafe AUGraphGetNodeInteractions(graph, node, &count, &found)
    }
  }

  private func property(_ random: inout SplitMix) -> OSStatus {
    let unit = unsafe unit(&random)
    let (scope, element) = (
      UInt32.random(in: 0...3, using: &random), UInt32.random(in: 0...3, using: &random)
    )
    if Int.random(in: 0..<16, using: &random) == 0 {
      var url = unsafe Unmanaged.passUnretained(font)
      return unsafe AudioUnitSetProperty(
        unit, kMusicDeviceProperty_SoundBankURL, scope, element, &url, 8)
    }
    guard let property = Self.properties.randomElement(using: &random) else { return noErr }
    var (size, isWritable) = (UInt32(0), DarwinBoolean(false))
    let status = unsafe AudioUnitGetPropertyInfo(unit, property, scope, element, &size, &isWritable)
    if Int.random(in: 0..<8, using: &random) == 0 {
      size = UInt32.random(in: 0...64, using: &random)
    }
    var bytes = value(of: property, count: Int(size), &random)
    return unsafe bytes.withUnsafeMutableBytes { bytes in
      switch Int.random(in: 0..<3, using: &random) {
      case 0: status
      case 1:
        unsafe AudioUnitGetProperty(unit, property, scope, element, bytes.baseAddress, &size)
      default:
        unsafe AudioUnitSetProperty(unit, property, scope, element, bytes.baseAddress, size)
      }
    }
  }

  private func value(
    of property: AudioUnitPropertyID, count: Int, _ random: inout SplitMix
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    switch property {
    case kAudioUnitProperty_MakeConnection:
      let connection = unsafe AudioUnitConnection(
        sourceAudioUnit: unit(&random), sourceOutputNumber: 0,
        destInputNumber: UInt32.random(in: 0...3, using: &random))
      unsafe withUnsafeBytes(of: connection) { unsafe bytes.append(contentsOf: $0) }
    case kAudioUnitProperty_SampleRate:
      let rates = [44_100.0, 48_000, 96_000, 8000, 0, .nan, .infinity, -1, 1e300, 44_100.5]
      unsafe withUnsafeBytes(of: rates.randomElement(using: &random) ?? 0) {
        unsafe bytes.append(contentsOf: $0)
      }
    case kAudioUnitProperty_ElementCount, kAudioUnitProperty_MaximumFramesPerSlice:
      let count = UInt32(
        truncatingIfNeeded: random.next() >> UInt64.random(in: 32..<64, using: &random))
      unsafe withUnsafeBytes(of: count) { unsafe bytes.append(contentsOf: $0) }
    default: break
    }
    while bytes.count < count { bytes.append(UInt8(truncatingIfNeeded: random.next())) }
    return Array(bytes.prefix(count))
  }

  private func parameter(_ random: inout SplitMix) -> OSStatus {
    let unit = unsafe unit(&random)
    var value = Float.random(in: -2...2, using: &random)
    if Int.random(in: 0..<6, using: &random) == 0 {
      value = [.nan, .infinity, -.infinity, 1e30, -1e30].randomElement(using: &random) ?? 0
    }
    let (number, scope, element) = (
      UInt32.random(in: 0...15, using: &random), UInt32.random(in: 0...4, using: &random),
      UInt32.random(in: 0...9, using: &random)
    )
    return unsafe Bool.random(using: &random)
      ? AudioUnitSetParameter(unit, number, scope, element, value, 0)
      : AudioUnitGetParameter(unit, number, scope, element, &value)
  }

  private func play(_ random: inout SplitMix) -> OSStatus {
    let unit = unsafe unit(&random)
    func word() -> UInt32 { UInt32.random(in: 0...260, using: &random) }
    switch Int.random(in: 0..<4, using: &random) {
    case 0...1: return unsafe MusicDeviceMIDIEvent(unit, word(), word(), word(), word() * 8)
    case 2:
      let bytes = (0..<Int.random(in: 0..<20, using: &random)).map { _ in
        UInt8(truncatingIfNeeded: random.next())
      }
      return unsafe MusicDeviceSysEx(unit, bytes, UInt32(bytes.count))
    default:
      var note = NoteInstanceID(0)
      var strike = MusicDeviceNoteParams()
      strike.argCount = 2
      strike.mPitch = Bool.random(using: &random) ? 60.4 : .nan
      strike.mVelocity = 90
      let status = unsafe MusicDeviceStartNote(unit, 0, word() % 20, &note, word(), &strike)
      return status == noErr ? unsafe MusicDeviceStopNote(unit, word() % 20, note, word()) : status
    }
  }

  /// Renders into buffers of just the length that they say.
  private mutating func render(_ random: inout SplitMix) -> OSStatus {
    let unit = unsafe unit(&random)
    let frames = UInt32.random(in: 0...700, using: &random)
    let counts = [[1, 1], [2], [1], [2, 2], []].randomElement(using: &random) ?? []
    let list = unsafe UnsafeMutableRawPointer.allocate(
      byteCount: bufferOffset + max(counts.count, 1) * MemoryLayout<AudioBuffer>.stride,
      alignment: 8)
    unsafe list.storeBytes(of: UInt32(counts.count), as: UInt32.self)
    var memory: [UnsafeMutableRawPointer] = unsafe []
    for (index, count) in counts.enumerated() {
      let isShort = Int.random(in: 0..<16, using: &random) == 0
      let size = max(0, Int(frames) * 4 * count - (isShort ? 4 : 0))
      let room = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
      unsafe memory.append(room)
      let isOurs = Int.random(in: 0..<8, using: &random) > 0
      let buffer = unsafe AudioBuffer(
        mNumberChannels: UInt32(count), mDataByteSize: UInt32(size), mData: isOurs ? room : nil)
      unsafe list.storeBytes(
        of: buffer, toByteOffset: bufferOffset + index * MemoryLayout<AudioBuffer>.stride,
        as: AudioBuffer.self)
    }
    var stamp = AudioTimeStamp()
    stamp.mFlags = .sampleTimeValid
    stamp.mSampleTime = Double(Int.random(in: -1...1_000_000, using: &random))
    var flags = AudioUnitRenderActionFlags()
    let bus = Int.random(in: 0..<8, using: &random) == 0 ? random.next() : 0
    let status = unsafe AudioUnitRender(
      unit, &flags, &stamp, UInt32(truncatingIfNeeded: bus), frames,
      list.assumingMemoryBound(to: AudioBufferList.self))
    unsafe memory.forEach { unsafe $0.deallocate() }
    unsafe list.deallocate()
    if status == noErr { rendered += 1 }
    return status
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import AudioToolboxFiles
internal import CCoreAudio
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import Foundation
internal import Synchronization

extension UnitObject {
  /// The size of a property in bytes, or nil if units do not have the property.
  static func propertySize(_ property: AudioUnitPropertyID) -> Int? {
    switch property {
    case kAudioUnitProperty_MakeConnection: unsafe MemoryLayout<AudioUnitConnection>.size
    case kAudioUnitProperty_SampleRate, kAudioUnitProperty_Latency, kAudioUnitProperty_TailTime: 8
    case kAudioUnitProperty_StreamFormat: MemoryLayout<AudioStreamBasicDescription>.size
    case kAudioUnitProperty_ElementCount, kAudioUnitProperty_MaximumFramesPerSlice,
      kAudioUnitProperty_BypassEffect, kAudioUnitProperty_LastRenderError,
      kAudioOutputUnitProperty_IsRunning, kAudioOutputUnitProperty_EnableIO,
      kMusicDeviceProperty_UsesInternalReverb, kAUMIDISynthProperty_EnablePreload:
      4
    case kAudioUnitProperty_SetRenderCallback: unsafe MemoryLayout<AURenderCallbackStruct>.size
    case kMusicDeviceProperty_SoundBankURL: MemoryLayout<UInt>.size
    case kAUSamplerProperty_LoadInstrument: MemoryLayout<AUSamplerInstrumentData>.size
    default: nil
    }
  }

  static func isWritable(_ property: AudioUnitPropertyID) -> Bool {
    ![
      kAudioUnitProperty_Latency, kAudioUnitProperty_TailTime, kAudioUnitProperty_LastRenderError,
      kAudioOutputUnitProperty_IsRunning,
    ].contains(property)
  }

  /// The value of a property as bytes.
  func property(
    _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) throws(StatusError) -> [UInt8] {
    let settings = state.withLock { $0 }
    switch property {
    case kAudioUnitProperty_SampleRate: return Self.bytes(settings.rate)
    case kAudioUnitProperty_Latency, kAudioUnitProperty_TailTime: return Self.bytes(0.0)
    case kAudioUnitProperty_StreamFormat: return Self.bytes(Self.format(settings.rate))
    case kAudioUnitProperty_ElementCount:
      return Self.bytes(UInt32(scope == kAudioUnitScope_Input ? settings.inputCount : 1))
    case kAudioUnitProperty_MaximumFramesPerSlice:
      return Self.bytes(UInt32(settings.maximumFrames))
    case kAudioUnitProperty_LastRenderError: return Self.bytes(settings.lastError)
    case kAudioUnitProperty_BypassEffect: return Self.bytes(UInt32(settings.bypasses ? 1 : 0))
    case kAudioOutputUnitProperty_IsRunning: return Self.bytes(UInt32(isRunning ? 1 : 0))
    case kAudioOutputUnitProperty_EnableIO:
      return Self.bytes(UInt32(scope == kAudioUnitScope_Output ? 1 : 0))
    case kMusicDeviceProperty_UsesInternalReverb:
      return Self.bytes(UInt32(settings.isReverberant ? 1 : 0))
    case kAUMIDISynthProperty_EnablePreload: return Self.bytes(UInt32(0))
    case kMusicDeviceProperty_SoundBankURL:
      guard let font = settings.soundFont else {
        throw StatusError(kAudioUnitErr_PropertyNotInUse)
      }
      // The caller releases it.
      let url = unsafe Unmanaged.passRetained(URL(fileName: font) as NSURL).toOpaque()
      return Self.bytes(UInt(bitPattern: url))
    case kAudioUnitProperty_MakeConnection, kAudioUnitProperty_SetRenderCallback,
      kAUSamplerProperty_LoadInstrument:
      throw StatusError(kAudioUnitErr_PropertyNotInUse)
    default: throw StatusError(kAudioUnitErr_InvalidProperty)
    }
  }

  /// Sets a property; an empty array removes a connection or a render callback.
  func setProperty(
    _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ bytes: [UInt8]
  ) throws(StatusError) {
    switch property {
    case kAudioUnitProperty_MakeConnection: try connect(bytes, element)
    case kAudioUnitProperty_SetRenderCallback:
      let callback: AURenderCallbackStruct? = unsafe bytes.isEmpty ? nil : try Self.value(bytes)
      try setInput(
        unsafe callback?.inputProc == nil ? nil : callback.map(UnitInput.function), element)
    case kAudioUnitProperty_SampleRate: try setRate(Self.value(bytes))
    case kAudioUnitProperty_StreamFormat:
      let format: AudioStreamBasicDescription = try Self.value(bytes)
      guard format.mFormatID == kAudioFormatLinearPCM,
        format.mFormatFlags & kAudioFormatFlagIsFloat != 0, format.mBitsPerChannel == 32,
        (1...2).contains(format.mChannelsPerFrame)
      else { throw StatusError(kAudioUnitErr_FormatNotSupported) }
      try setRate(format.mSampleRate)
    case kAudioUnitProperty_ElementCount:
      let count: UInt32 = try Self.value(bytes)
      guard kind == .mixer, (1...256).contains(count) else {
        throw StatusError(kAudioUnitErr_InvalidPropertyValue)
      }
      try change { $0.inputCount = Int(count) }
    case kAudioUnitProperty_MaximumFramesPerSlice:
      let count: UInt32 = try Self.value(bytes)
      guard (1...65_536).contains(count) else {
        throw StatusError(kAudioUnitErr_InvalidPropertyValue)
      }
      try change { $0.maximumFrames = Int(count) }
    case kAudioUnitProperty_BypassEffect:
      let value: UInt32 = try Self.value(bytes)
      state.withLock { $0.bypasses = value != 0 }
    case kMusicDeviceProperty_UsesInternalReverb:
      let value: UInt32 = try Self.value(bytes)
      try change { $0.isReverberant = value != 0 }
    case kMusicDeviceProperty_SoundBankURL: try setSoundFont(Self.value(bytes))
    case kAUSamplerProperty_LoadInstrument:
      try loadInstrument(Self.value(bytes))
    case kAudioOutputUnitProperty_EnableIO, kAUMIDISynthProperty_EnablePreload: break
    default: throw StatusError(kAudioUnitErr_PropertyNotWritable)
    }
  }

  /// Changes a setting that is fixed while the unit is initialized.
  private func change(_ body: (inout State) -> Void) throws(StatusError) {
    let isFixed = state.withLock { state in
      if !state.isInitialized { body(&state) }
      return state.isInitialized
    }
    if isFixed { throw StatusError(kAudioUnitErr_Initialized) }
  }

  private func setRate(_ rate: Double) throws(StatusError) {
    guard rate.isFinite, (8000...192_000).contains(rate), rate == rate.rounded() else {
      throw StatusError(kAudioUnitErr_FormatNotSupported)
    }
    if state.withLock({ $0.rate == rate }) { return }
    try change { $0.rate = rate }
  }

  private func loadInstrument(_ choice: AUSamplerInstrumentData) throws(StatusError) {
    guard description.componentSubType == kAudioUnitSubType_Sampler else {
      throw StatusError(kAudioUnitErr_InvalidProperty)
    }
    guard choice.instrumentType == kInstrumentType_SF2Preset else {
      throw StatusError(kAudioUnitErr_InvalidPropertyValue)
    }
    let preset = SamplerPreset(choice)
    state.withLock { $0.preset = preset }
    unsafe try setSoundFont(UInt(bitPattern: choice.fileURL.toOpaque()))
  }

  private func setSoundFont(_ place: UInt) throws(StatusError) {
    guard kind == .instrument else { throw StatusError(kAudioUnitErr_InvalidProperty) }
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: place),
      let path = unsafe (Unmanaged<NSURL>.fromOpaque(pointer).takeUnretainedValue() as URL).fileName
    else { throw StatusError(kAudioUnitErr_InvalidPropertyValue) }
    let isReady = state.withLock { state in
      state.soundFont = path
      return state.isInitialized
    }
    // An initialized unit reads the soundfont at once.
    guard isReady else { return }
    do {
      setWorkshop(try UnitWorkshop(kind, state.withLock { $0 }))
    } catch {
      throw StatusError(kAudioUnitErr_InvalidPropertyValue)
    }
  }

  private func connect(_ bytes: [UInt8], _ element: AudioUnitElement) throws(StatusError) {
    guard !bytes.isEmpty else { return try setInput(nil, element) }
    let connection: AudioUnitConnection = unsafe try Self.value(bytes)
    guard let reference = unsafe connection.sourceAudioUnit else {
      return unsafe try setInput(nil, connection.destInputNumber)
    }
    guard let source = unsafe UnitObject.find(reference), !source.hears(self) else {
      throw StatusError(kAudioUnitErr_InvalidPropertyValue)
    }
    unsafe try setInput(
      .unit(source, bus: connection.sourceOutputNumber), connection.destInputNumber)
  }

  /// Sets the source of an input, or removes it with nil.
  func setInput(_ input: UnitInput?, _ element: AudioUnitElement) throws(StatusError) {
    let fits = state.withLock { state in
      guard element < state.inputCount else { return false }
      state.inputs[element] = input
      return true
    }
    guard fits else { throw StatusError(kAudioUnitErr_InvalidElement) }
  }

  private static func format(_ rate: Double) -> AudioStreamBasicDescription {
    AudioStreamBasicDescription(
      mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagsAudioUnitCanonical, mBytesPerPacket: 4, mFramesPerPacket: 1,
      mBytesPerFrame: 4, mChannelsPerFrame: 2, mBitsPerChannel: 32, mReserved: 0)
  }

  private static func bytes<Value>(_ value: Value) -> [UInt8] {
    unsafe withUnsafeBytes(of: value) { unsafe [UInt8]($0) }
  }

  private static func value<Value>(_ bytes: [UInt8]) throws(StatusError) -> Value {
    guard bytes.count == MemoryLayout<Value>.size else { throw .parameter }
    return unsafe bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { preconditionFailure("the value must have bytes") }
      return unsafe withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { place in
        unsafe UnsafeMutableRawBufferPointer(place).copyMemory(
          from: UnsafeRawBufferPointer(start: base, count: bytes.count))
        return unsafe place[0]
      }
    }
  }
}

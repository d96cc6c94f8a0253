// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import CoreAudioTypes
internal import Synchronization

// Rendering does not wait. If a program is just changing the unit, the slice is silent.
extension UnitObject {
  /// Renders a slice into a caller's buffer list.
  @unsafe
  func render(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ time: UnsafePointer<AudioTimeStamp>, _ bus: UInt32, _ frames: UInt32,
    _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    guard let settings = settingsNow else { return kAudioUnitErr_CannotDoInCurrentContext }
    guard let workshop = settings.workshop else { return kAudioUnitErr_Uninitialized }
    guard Int(frames) <= workshop.result.capacity else {
      return kAudioUnitErr_TooManyFramesToProcess
    }
    guard bus == 0 else { return kAudioUnitErr_InvalidElement }
    guard unsafe BufferListView.fits(list, Int(frames)) else { return kAudio_ParamError }
    for listener in settings.listeners { listener.prepare(Int(frames)) }
    var own = unsafe flags?.pointee ?? AudioUnitRenderActionFlags()
    let status = unsafe render(settings, workshop, &own, time, frames, into: workshop.result)
    unsafe flags?.pointee = own
    if status == noErr { unsafe workshop.result.hand(to: list, Int(frames)) }
    return status
  }

  /// Renders a slice into the memory of the unit that reads it.
  @unsafe
  func render(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32, into memory: StereoMemory
  ) -> OSStatus {
    guard let settings = settingsNow, let workshop = settings.workshop else {
      memory.clear(Int(frames))
      return noErr
    }
    // The unit that pulls this one may allow longer slices.
    guard Int(frames) <= workshop.result.capacity else {
      memory.clear(Int(frames))
      return kAudioUnitErr_TooManyFramesToProcess
    }
    return unsafe render(settings, workshop, flags, time, frames, into: memory)
  }

  /// The unit's settings, or nil while a program is changing them.
  private var settingsNow: State? {
    for _ in 0..<100 {
      if let settings = state.withLockIfAvailable({ $0 }) { return settings }
    }
    return nil
  }

  @unsafe
  private func render(
    _ settings: State, _ workshop: UnitWorkshop,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32, into memory: StereoMemory
  ) -> OSStatus {
    unsafe tell(settings, .unitRenderAction_PreRender, flags, time, frames, memory)
    let status = unsafe make(settings, workshop, flags, time, frames, into: memory)
    unsafe tell(settings, .unitRenderAction_PostRender, flags, time, frames, memory)
    return status
  }

  @unsafe
  private func tell(
    _ settings: State, _ moment: AudioUnitRenderActionFlags,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32, _ memory: StereoMemory
  ) {
    func tell(_ notify: RenderNotify) {
      var told = unsafe flags.pointee.union(moment)
      _ = unsafe CoreAudioCallRender(
        notify.function, notify.data, &told, time, 0, frames, memory.list(Int(frames)))
    }
    for notify in settings.notifies { tell(notify) }
    for notify in settings.graphNotifies { tell(notify) }
  }

  @unsafe
  private func make(
    _ settings: State, _ workshop: UnitWorkshop,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32, into memory: StereoMemory
  ) -> OSStatus {
    switch kind {
    case .instrument:
      unsafe workshop.player?.read(memory, Int(frames), at: time.pointee.mSampleTime)
      return noErr
    case .mixer:
      memory.clear(Int(frames))
      return unsafe mix(settings, workshop, flags, time, frames, into: memory)
    case .output, .through:
      guard let input = settings.inputs[0] else {
        memory.clear(Int(frames))
        return kAudioUnitErr_NoConnection
      }
      let status = unsafe pull(input, 0, flags, time, frames, into: memory)
      let volume = settings.parameters[
        ParameterPlace(id: kHALOutputParam_Volume, scope: kAudioUnitScope_Global, element: 0)]
      if let volume, kind != .through { memory.scale(by: volume, Int(frames)) }
      return status
    }
  }

  @unsafe
  private func mix(
    _ settings: State, _ workshop: UnitWorkshop,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32, into memory: StereoMemory
  ) -> OSStatus {
    var status = noErr
    for element in 0..<UInt32(workshop.gains.count) {
      guard let input = settings.inputs[element] else { continue }
      let pulled = unsafe pull(input, element, flags, time, frames, into: workshop.scratch)
      if pulled != noErr { status = pulled }
      let gains = mixerGains(settings, element)
      // In the first slice the gains do not change.
      let old = workshop.isFresh ? gains : workshop.gains[Int(element)]
      memory.add(workshop.scratch, Int(frames), from: old, to: gains)
      workshop.gains[Int(element)] = gains
    }
    workshop.isFresh = false
    return status
  }

  /// The gains of a mixer's input.
  private func mixerGains(_ settings: State, _ element: UInt32) -> StereoGains {
    func value(_ id: UInt32, _ scope: AudioUnitScope, _ element: UInt32, _ initial: Float) -> Float
    {
      settings.parameters[ParameterPlace(id: id, scope: scope, element: element)] ?? initial
    }
    let isStereoMixer = description.componentSubType == kAudioUnitSubType_StereoMixer
    var gain = value(0, kAudioUnitScope_Input, element, 1) * value(0, kAudioUnitScope_Output, 0, 1)
    gain *= value(0, kAudioUnitScope_Global, 0, 1)
    var pan: Float
    if isStereoMixer {
      pan = value(1, kAudioUnitScope_Input, element, 0.5) * 2 - 1
    } else {
      if value(1, kAudioUnitScope_Input, element, 1) < 0.5 { gain = 0 }
      pan = value(2, kAudioUnitScope_Input, element, 0)
    }
    pan = min(1, max(-1, pan))
    return StereoGains(left: gain * min(1, 1 - pan), right: gain * min(1, 1 + pan))
  }

  @unsafe
  private func pull(
    _ input: UnitInput, _ bus: UInt32,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32, into memory: StereoMemory
  ) -> OSStatus {
    switch input {
    case .unit(let unit, _):
      return unsafe unit.render(flags, time, frames, into: memory)
    case .function(let callback):
      memory.clear(Int(frames))
      guard let function = unsafe callback.inputProc else { return noErr }
      let list = unsafe memory.list(Int(frames))
      let status = unsafe CoreAudioCallRender(
        function, callback.inputProcRefCon, flags, time, bus, frames, list)
      if status == noErr {
        unsafe memory.adopt(list, Int(frames))
      } else {
        memory.clear(Int(frames))
      }
      return status
    }
  }
}

extension StereoMemory {
  func scale(by factor: Float, _ frames: Int) {
    for frame in 0..<frames {
      unsafe left[frame] *= factor
      unsafe right[frame] *= factor
    }
  }
}

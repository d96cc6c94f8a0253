// SPDX-License-Identifier: Apache-2.0
internal import SoundFontVoices

/// Parameters of parts and drum notes, which only Downbeat's own voices support; FluidSynth ignores
/// them.
extension Synth {
  @_noAllocation @_noLocks
  func set(_ parameter: PartParameter, to value: UInt8, on channel: Int) {
    switch self {
    case .fluidSynth: break
    case .downbeat(let synth): synth.set(parameter, to: value, on: channel)
    }
  }

  @_noAllocation @_noLocks
  func set(_ parameter: NoteParameter, to value: UInt8, of key: Int, inMap map: Int) {
    switch self {
    case .fluidSynth: break
    case .downbeat(let synth): synth.set(parameter, to: value, of: key, inMap: map)
    }
  }

  @_noAllocation @_noLocks
  func forgetNotes(ofMap map: Int) {
    switch self {
    case .fluidSynth: break
    case .downbeat(let synth): synth.forgetNotes(ofMap: map)
    }
  }

  @_noAllocation @_noLocks
  func setDrumMap(_ map: Int, on channel: Int) {
    switch self {
    case .fluidSynth: break
    case .downbeat(let synth): synth.setDrumMap(map, on: channel)
    }
  }

  @_noAllocation @_noLocks
  func setBendScale(_ scale: Float, on channel: Int) {
    switch self {
    case .fluidSynth: break
    case .downbeat(let synth): synth.setBendScale(scale, on: channel)
    }
  }

  @_noAllocation @_noLocks
  func setSlidesByTime(_ isTime: Bool) {
    switch self {
    case .fluidSynth: break
    case .downbeat(let synth): synth.setSlidesByTime(isTime)
    }
  }

  /// The state of a part; nil with FluidSynth.
  @_noAllocation @_noLocks
  func part(_ channel: Int) -> PartState? {
    switch self {
    case .fluidSynth: nil
    case .downbeat(let synth): synth.part(channel)
    }
  }
}

extension DownbeatSynth {
  @_noAllocation @_noLocks
  func set(_ parameter: PartParameter, to value: UInt8, on channel: Int) {
    unsafe voices.pointee.set(parameter, to: value, on: channel)
  }

  @_noAllocation @_noLocks
  func set(_ parameter: NoteParameter, to value: UInt8, of key: Int, inMap map: Int) {
    unsafe voices.pointee.set(parameter, to: value, of: key, inMap: map)
  }

  @_noAllocation @_noLocks
  func forgetNotes(ofMap map: Int) { unsafe voices.pointee.forgetNotes(ofMap: map) }

  @_noAllocation @_noLocks
  func setDrumMap(_ map: Int, on channel: Int) {
    unsafe voices.pointee.setDrumMap(map, on: channel)
  }

  @_noAllocation @_noLocks
  func setBendScale(_ scale: Float, on channel: Int) {
    unsafe voices.pointee.setBendScale(scale, on: channel)
  }

  @_noAllocation @_noLocks
  func setSlidesByTime(_ isTime: Bool) { unsafe voices.pointee.setSlidesByTime(isTime) }

  @_noAllocation @_noLocks
  func part(_ channel: Int) -> PartState { unsafe voices.pointee.part(channel) }
}

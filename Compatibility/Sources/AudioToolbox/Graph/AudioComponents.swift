// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
internal import CoreAudioHandles
public import CoreAudioTypes

/// Finds the next component that matches a description.
///
/// - Parameters:
///   - inComponent: the component after which the search starts, or nil for the first component.
///   - inDesc: the description; a field of 0 matches any value.
/// - Returns: the component, or nil if no further component matches.
/// - Note: Any thread.
public func AudioComponentFindNext(
  _ inComponent: AudioComponent?, _ inDesc: UnsafePointer<AudioComponentDescription>
) -> AudioComponent? {
  let start = unsafe ComponentObject.find(inComponent).map { $0.place + 1 } ?? 0
  if unsafe inComponent != nil, start == 0 { return nil }
  guard let place = unsafe UnitKind.place(inDesc.pointee, from: start) else { return nil }
  return unsafe ComponentObject.handles[place]?.pointer
}

/// Returns the number of components that match a description.
///
/// - Parameter inDesc: the description; a field of 0 matches any value.
/// - Returns: the number.
/// - Note: Any thread.
public func AudioComponentCount(_ inDesc: UnsafePointer<AudioComponentDescription>) -> UInt32 {
  UInt32(
    UnitKind.all.indices.count { place in
      unsafe UnitKind.place(inDesc.pointee, from: place) == place
    })
}

/// Returns the name of a component.
///
/// - Parameters:
///   - inComponent: the component.
///   - outName: receives the name, which the caller releases.
/// - Returns: 0; `kAudio_ParamError` if the component is invalid.
/// - Note: Any thread.
@discardableResult
public func AudioComponentCopyName(
  _ inComponent: AudioComponent?, _ outName: UnsafeMutablePointer<Unmanaged<CFString>?>
) -> OSStatus {
  guard let component = unsafe ComponentObject.find(inComponent) else { return kAudio_ParamError }
  unsafe outName.pointee = Unmanaged.passRetained(
    CFString(string: UnitKind.all[component.place].name))
  return noErr
}

/// Returns the description of a component.
///
/// - Parameters:
///   - inComponent: the component.
///   - outDesc: receives the description.
/// - Returns: 0; `kAudio_ParamError` if the component is invalid.
/// - Note: Any thread.
@discardableResult
public func AudioComponentGetDescription(
  _ inComponent: AudioComponent?, _ outDesc: UnsafeMutablePointer<AudioComponentDescription>
) -> OSStatus {
  guard let component = unsafe ComponentObject.find(inComponent) else { return kAudio_ParamError }
  unsafe outDesc.pointee = UnitKind.description(at: component.place)
  return noErr
}

/// Creates a unit of a component.
///
/// - Parameters:
///   - inComponent: the component.
///   - outInstance: receives the unit, or nil after an error.
/// - Returns: 0; `kAudio_ParamError` if the component is invalid; `kAudio_MemFullError` if a
///   million objects exist.
/// - Note: Any thread.
@discardableResult
public func AudioComponentInstanceNew(
  _ inComponent: AudioComponent?, _ outInstance: UnsafeMutablePointer<AudioComponentInstance?>
) -> OSStatus {
  unsafe outInstance.pointee = nil
  guard let component = unsafe ComponentObject.find(inComponent) else { return kAudio_ParamError }
  let unit = UnitObject(component.place)
  guard unit.enroll() else { return kAudio_MemFullError }
  unsafe outInstance.pointee = unit.pointer
  return noErr
}

/// Frees a unit; an output is stopped first.
///
/// - Parameter inInstance: the unit.
/// - Returns: 0; `kAudio_ParamError` if the unit is invalid.
/// - Note: Any thread except a render thread.
@discardableResult
public func AudioComponentInstanceDispose(_ inInstance: AudioComponentInstance?) -> OSStatus {
  guard let unit = unsafe UnitObject.find(inInstance) else { return kAudio_ParamError }
  unit.dismiss()
  return noErr
}

/// Returns the component of a unit.
///
/// - Parameter inInstance: the unit.
/// - Returns: the component, or nil if the unit is invalid.
/// - Note: Any thread.
public func AudioComponentInstanceGetComponent(
  _ inInstance: AudioComponentInstance?
) -> AudioComponent? {
  guard let unit = unsafe UnitObject.find(inInstance),
    let place = UnitKind.place(unit.description, from: 0)
  else { return nil }
  return unsafe ComponentObject.handles[place]?.pointer
}

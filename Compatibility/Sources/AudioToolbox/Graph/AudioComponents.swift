// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
internal import CoreAudioHandles
public import CoreAudioTypes

/// Finds a component.
///
/// - Parameters:
///   - inComponent: the component after which to look; nil for the first.
///   - inDesc: what is wanted; zeros stand for any.
/// - Returns: the component; nil where there is no other.
/// - Note: Any thread.
public func AudioComponentFindNext(
  _ inComponent: AudioComponent?, _ inDesc: UnsafePointer<AudioComponentDescription>
) -> AudioComponent? {
  let start = unsafe ComponentObject.find(inComponent).map { $0.place + 1 } ?? 0
  if unsafe inComponent != nil, start == 0 { return nil }
  guard let place = unsafe UnitKind.place(inDesc.pointee, from: start) else { return nil }
  return unsafe ComponentObject.handles[place]?.pointer
}

/// How many components there are.
///
/// - Parameter inDesc: what is wanted; zeros stand for any.
/// - Returns: the number.
/// - Note: Any thread.
public func AudioComponentCount(_ inDesc: UnsafePointer<AudioComponentDescription>) -> UInt32 {
  UInt32(
    UnitKind.all.indices.count { place in
      unsafe UnitKind.place(inDesc.pointee, from: place) == place
    })
}

/// Tells what a component is called.
///
/// - Parameters:
///   - inComponent: the component.
///   - outName: takes the name, which the caller releases.
/// - Returns: 0; −50 for an invalid component.
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

/// Tells what a component is.
///
/// - Parameters:
///   - inComponent: the component.
///   - outDesc: takes the description.
/// - Returns: 0; −50 for an invalid component.
/// - Note: Any thread.
@discardableResult
public func AudioComponentGetDescription(
  _ inComponent: AudioComponent?, _ outDesc: UnsafeMutablePointer<AudioComponentDescription>
) -> OSStatus {
  guard let component = unsafe ComponentObject.find(inComponent) else { return kAudio_ParamError }
  unsafe outDesc.pointee = UnitKind.description(at: component.place)
  return noErr
}

/// Makes a unit of a component.
///
/// - Parameters:
///   - inComponent: the component.
///   - outInstance: takes the unit; nil where there is none.
/// - Returns: 0; −50 for an invalid component; −108 where a million objects are there.
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

/// Lets a unit go.
///
/// - Parameter inInstance: the unit.
/// - Returns: 0; −50 for an invalid unit.
/// - Note: Any thread but one that renders.
@discardableResult
public func AudioComponentInstanceDispose(_ inInstance: AudioComponentInstance?) -> OSStatus {
  guard let unit = unsafe UnitObject.find(inInstance) else { return kAudio_ParamError }
  unit.dismiss()
  return noErr
}

/// The component of a unit.
///
/// - Parameter inInstance: the unit.
/// - Returns: the component; nil for an invalid unit.
/// - Note: Any thread.
public func AudioComponentInstanceGetComponent(
  _ inInstance: AudioComponentInstance?
) -> AudioComponent? {
  guard let unit = unsafe UnitObject.find(inInstance),
    let place = UnitKind.place(unit.description, from: 0)
  else { return nil }
  return unsafe ComponentObject.handles[place]?.pointer
}

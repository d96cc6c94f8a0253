// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
internal import CoreAudioTypes
public import Dispatch

/// A block that is called when properties change, with the number and addresses of the properties.
public typealias AudioObjectPropertyListenerBlock = (
  _ inNumberAddresses: UInt32, _ inAddresses: UnsafePointer<AudioObjectPropertyAddress>
) -> Void

/// Adds a function that is called when a property changes.
@discardableResult
public func AudioObjectAddPropertyListener(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
  _ inListener: @escaping AudioObjectPropertyListenerProc,
  _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  guard HardwareObject(inObjectID) != nil else { return kAudioHardwareBadObjectError }
  unsafe HardwareListener(
    object: inObjectID, address: inAddress.pointee,
    function: key(inListener, inClientData), queue: HardwareListener.ownQueue
  ) { object, address in
    var address = address
    _ = unsafe inListener(object, 1, &address, inClientData)
  }.add()
  return noErr
}

/// Removes a function that was added with the same property and client data.
@discardableResult
public func AudioObjectRemovePropertyListener(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
  _ inListener: @escaping AudioObjectPropertyListenerProc,
  _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  // Also of a device that was removed, and may be added again.
  let isRemoved = unsafe HardwareListener.remove(
    inObjectID, inAddress.pointee, function: key(inListener, inClientData),
    queue: HardwareListener.ownQueue)
  return isRemoved || HardwareObject(inObjectID) != nil ? noErr : kAudioHardwareBadObjectError
}

/// Adds a block that is called on a dispatch queue when a property changes.
@discardableResult
public func AudioObjectAddPropertyListenerBlock(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
  _ inDispatchQueue: DispatchQueue?, _ inListener: @escaping AudioObjectPropertyListenerBlock
) -> OSStatus {
  guard HardwareObject(inObjectID) != nil else { return kAudioHardwareBadObjectError }
  unsafe HardwareListener(
    object: inObjectID, address: inAddress.pointee, function: nil,
    queue: inDispatchQueue ?? HardwareListener.ownQueue
  ) { _, address in
    var address = address
    unsafe inListener(1, &address)
  }.add()
  return noErr
}

/// Removes the block that was added first for a property and dispatch queue.
@discardableResult
public func AudioObjectRemovePropertyListenerBlock(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
  _ inDispatchQueue: DispatchQueue?, _ inListener: @escaping AudioObjectPropertyListenerBlock
) -> OSStatus {
  let isRemoved = unsafe HardwareListener.remove(
    inObjectID, inAddress.pointee, function: nil,
    queue: inDispatchQueue ?? HardwareListener.ownQueue)
  return isRemoved || HardwareObject(inObjectID) != nil ? noErr : kAudioHardwareBadObjectError
}

private func key(
  _ function: AudioObjectPropertyListenerProc, _ data: UnsafeMutableRawPointer?
) -> [Int] {
  unsafe [unsafeBitCast(function, to: Int.self), Int(bitPattern: data)]
}

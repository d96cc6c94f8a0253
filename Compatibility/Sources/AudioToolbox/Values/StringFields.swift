// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
public import CoreFoundation

extension AudioFileMarker {
  /// The name of the marker, or nil.
  ///
  /// If you read a list of markers, you own the names and must release them.
  public var mName: Unmanaged<CFString>? {
    get { unsafe __mName.map { unsafe Unmanaged.fromOpaque($0) } }
    set { unsafe __mName = newValue.map { unsafe UnsafeRawPointer($0.toOpaque()) } }
  }
}

extension AudioFileRegion {
  /// The name of the region, or nil.
  ///
  /// If you read a list of regions, you own the names and must release them.
  public var mName: Unmanaged<CFString>? {
    get { unsafe __mName.map { unsafe Unmanaged.fromOpaque($0) } }
    set { unsafe __mName = newValue.map { unsafe UnsafeRawPointer($0.toOpaque()) } }
  }
}

extension AudioQueueChannelAssignment {
  /// Creates an assignment.
  ///
  /// - Parameters:
  ///   - mDeviceUID: The unique identifier of the device.
  ///   - mChannelNumber: The channel of the device, from 1.
  public init(mDeviceUID: Unmanaged<CFString>, mChannelNumber: UInt32) {
    unsafe self.init(__mDeviceUID: mDeviceUID.toOpaque(), mChannelNumber: mChannelNumber)
  }

  /// The unique identifier of the device.
  public var mDeviceUID: Unmanaged<CFString>? {
    get { unsafe __mDeviceUID.map { unsafe Unmanaged.fromOpaque($0) } }
    set { unsafe __mDeviceUID = newValue.map { unsafe UnsafeRawPointer($0.toOpaque()) } }
  }
}

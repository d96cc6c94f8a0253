// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

/// The client does not exist.
public let kMIDIInvalidClient: OSStatus = -10830
/// The port does not exist, or has the other direction.
public let kMIDIInvalidPort: OSStatus = -10831
/// The endpoint is a source instead of a destination, or a destination instead of a source.
public let kMIDIWrongEndpointType: OSStatus = -10832
/// The port is not connected to the source.
public let kMIDINoConnection: OSStatus = -10833
/// The endpoint does not exist.
public let kMIDIUnknownEndpoint: OSStatus = -10834
/// The object does not have this property.
public let kMIDIUnknownProperty: OSStatus = -10835
/// The property has a value of another type.
public let kMIDIWrongPropertyType: OSStatus = -10836
/// A setup does not exist; not returned.
public let kMIDINoCurrentSetup: OSStatus = -10837
/// The sequencer did not accept the packets.
public let kMIDIMessageSendErr: OSStatus = -10838
/// The thread that delivers packets cannot be started.
public let kMIDIServerStartErr: OSStatus = -10839
/// A setup cannot be read; not returned.
public let kMIDISetupFormatErr: OSStatus = -10840
/// The function must be called on another thread; not returned.
public let kMIDIWrongThread: OSStatus = -10841
/// The object does not exist.
public let kMIDIObjectNotFound: OSStatus = -10842
/// Another object has this unique ID.
public let kMIDIIDNotUnique: OSStatus = -10843
/// The operation is not allowed, such as setting a property that is read-only.
public let kMIDINotPermitted: OSStatus = -10844
/// Another error, such as too many objects.
public let kMIDIUnknownError: OSStatus = -10845

/// The value that is not a unique ID of any object.
public let kMIDIInvalidUniqueID: MIDIUniqueID = 0

/// A block that is called for changes of the MIDI setup.
public typealias MIDINotifyBlock = (_ message: UnsafePointer<MIDINotification>) -> Void
/// A block that is called with received packets.
public typealias MIDIReadBlock = (
  _ packets: UnsafePointer<MIDIPacketList>, _ srcConnRefCon: UnsafeMutableRawPointer?
) -> Void

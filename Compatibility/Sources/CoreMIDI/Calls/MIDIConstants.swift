// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

/// There is no such client.
public let kMIDIInvalidClient: OSStatus = -10830
/// There is no such port, or it is one of the other direction.
public let kMIDIInvalidPort: OSStatus = -10831
/// The endpoint is a source where a destination is wanted, or the other way round.
public let kMIDIWrongEndpointType: OSStatus = -10832
/// The port is not connected with the source.
public let kMIDINoConnection: OSStatus = -10833
/// There is no such endpoint.
public let kMIDIUnknownEndpoint: OSStatus = -10834
/// The object has no such property.
public let kMIDIUnknownProperty: OSStatus = -10835
/// The property has a value of another type.
public let kMIDIWrongPropertyType: OSStatus = -10836
/// There is no setup; it is never given here.
public let kMIDINoCurrentSetup: OSStatus = -10837
/// What was sent did not reach the sequencer.
public let kMIDIMessageSendErr: OSStatus = -10838
/// The thread that delivers cannot be started.
public let kMIDIServerStartErr: OSStatus = -10839
/// A setup cannot be read; it is never given here.
public let kMIDISetupFormatErr: OSStatus = -10840
/// Another thread has to ask; it is never given here.
public let kMIDIWrongThread: OSStatus = -10841
/// There is no such object.
public let kMIDIObjectNotFound: OSStatus = -10842
/// Another object has that unique number.
public let kMIDIIDNotUnique: OSStatus = -10843
/// The property cannot be set.
public let kMIDINotPermitted: OSStatus = -10844
/// Something else went wrong.
public let kMIDIUnknownError: OSStatus = -10845

/// The unique number that no object has.
public let kMIDIInvalidUniqueID: MIDIUniqueID = 0

/// What is called with the setup's changes.
public typealias MIDINotifyBlock = (_ message: UnsafePointer<MIDINotification>) -> Void
/// What is called with packets that came.
public typealias MIDIReadBlock = (
  _ packets: UnsafePointer<MIDIPacketList>, _ srcConnRefCon: UnsafeMutableRawPointer?
) -> Void

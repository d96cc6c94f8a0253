// SPDX-License-Identifier: Apache-2.0
public import CoreAudioTypes

// The names of properties; a string never changes.

/// String: what a person reads.
public nonisolated(unsafe) let kMIDIPropertyName: CFString = "name"
/// String: who made it.
public nonisolated(unsafe) let kMIDIPropertyManufacturer: CFString = "manufacturer"
/// String: what it is.
public nonisolated(unsafe) let kMIDIPropertyModel: CFString = "model"
/// Integer: what lasts of an object.
public nonisolated(unsafe) let kMIDIPropertyUniqueID: CFString = "uniqueID"
/// Integer: the number that its SysEx messages bear.
public nonisolated(unsafe) let kMIDIPropertyDeviceID: CFString = "deviceID"
/// Integer: the channels it hears, bit n for channel n.
public nonisolated(unsafe) let kMIDIPropertyReceiveChannels: CFString = "receive channels"
/// Integer: the channels it sends on, bit n for channel n.
public nonisolated(unsafe) let kMIDIPropertyTransmitChannels: CFString = "transmit channels"
/// Integer: bytes a second of a SysEx, 3125 at first.
public nonisolated(unsafe) let kMIDIPropertyMaxSysExSpeed: CFString = "max SysEx speed"
/// Integer, microseconds: 0 has packets delivered at their times, anything else at once.
public nonisolated(unsafe) let kMIDIPropertyAdvanceScheduleTimeMuSec: CFString =
  "scheduleAheadMuSec"
/// Integer, 0 or 1: whether it is inside of the device.
public nonisolated(unsafe) let kMIDIPropertyIsEmbeddedEntity: CFString = "embedded"
/// Integer, 0 or 1: whether it reaches all others of its device.
public nonisolated(unsafe) let kMIDIPropertyIsBroadcast: CFString = "broadcast"
/// Integer: the entity that takes real-time messages.
public nonisolated(unsafe) let kMIDIPropertySingleRealtimeEntity: CFString =
  "single realtime entity"
/// Integer or data: the external devices that are connected.
public nonisolated(unsafe) let kMIDIPropertyConnectionUniqueID: CFString = "connUniqueID"
/// Integer, 0 or 1: whether it is gone.
public nonisolated(unsafe) let kMIDIPropertyOffline: CFString = "offline"
/// Integer, 0 or 1: whether it is left out of lists.
public nonisolated(unsafe) let kMIDIPropertyPrivate: CFString = "private"
/// String: the driver.
public nonisolated(unsafe) let kMIDIPropertyDriverOwner: CFString = "driver"
/// String: the file of its programs' names.
public nonisolated(unsafe) let kMIDIPropertyFactoryPatchNameFile: CFString = "factoryPatchFile"
/// String: the file of the person's names of programs.
public nonisolated(unsafe) let kMIDIPropertyUserPatchNameFile: CFString = "userPatchFile"
/// Dictionary: where names of its programs and notes are.
public nonisolated(unsafe) let kMIDIPropertyNameConfiguration: CFString = "nameConfiguration"
/// Dictionary: the files with names of programs and notes, for objects of MIDI 2.0 too.
public nonisolated(unsafe) let kMIDIPropertyNameConfigurationDictionary: CFString =
  "nameConfigurationDictionary"
/// String: the file of a picture.
public nonisolated(unsafe) let kMIDIPropertyImage: CFString = "image"
/// Integer: the driver's version.
public nonisolated(unsafe) let kMIDIPropertyDriverVersion: CFString = "driverVersion"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertySupportsGeneralMIDI: CFString = "supports General MIDI"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertySupportsMMC: CFString = "supports MMC"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertySupportsShowControl: CFString = "supports Show Control"
/// Integer, 0 or 1: whether it passes on.
public nonisolated(unsafe) let kMIDIPropertyCanRoute: CFString = "canRoute"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertyReceivesClock: CFString = "receives clock"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertyReceivesMTC: CFString = "receives MTC"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertyReceivesNotes: CFString = "receives notes"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertyReceivesProgramChanges: CFString =
  "receives program changes"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertyReceivesBankSelectMSB: CFString =
  "receives bank select MSB"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertyReceivesBankSelectLSB: CFString =
  "receives bank select LSB"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertyTransmitsClock: CFString = "transmits clock"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertyTransmitsMTC: CFString = "transmits MTC"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertyTransmitsNotes: CFString = "transmits notes"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertyTransmitsProgramChanges: CFString =
  "transmits program changes"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertyTransmitsBankSelectMSB: CFString =
  "transmits bank select MSB"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertyTransmitsBankSelectLSB: CFString =
  "transmits bank select LSB"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertyPanDisruptsStereo: CFString = "pan disrupts stereo"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertyIsSampler: CFString = "sampler"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertyIsDrumMachine: CFString = "drum machine"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertyIsMixer: CFString = "mixer"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertyIsEffectUnit: CFString = "effect"
/// Integer, 0…16.
public nonisolated(unsafe) let kMIDIPropertyMaxReceiveChannels: CFString = "max receive channels"
/// Integer, 0…16.
public nonisolated(unsafe) let kMIDIPropertyMaxTransmitChannels: CFString = "max transmit channels"
/// String: the program that edits it.
public nonisolated(unsafe) let kMIDIPropertyDriverDeviceEditorApp: CFString =
  "driverDeviceEditorApp"
/// String: the name with the device's before it; it cannot be set.
public nonisolated(unsafe) let kMIDIPropertyDisplayName: CFString = "displayName"
/// Integer: 1, for MIDI 1.0.
public nonisolated(unsafe) let kMIDIPropertyProtocolID: CFString = "protocol"

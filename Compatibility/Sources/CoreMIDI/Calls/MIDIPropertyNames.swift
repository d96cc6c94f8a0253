// SPDX-License-Identifier: Apache-2.0
public import CoreAudioTypes

// The names of properties. They can be `nonisolated(unsafe)` because a string never changes.

/// The name for users: a string.
public nonisolated(unsafe) let kMIDIPropertyName: CFString = "name"
/// The manufacturer: a string.
public nonisolated(unsafe) let kMIDIPropertyManufacturer: CFString = "manufacturer"
/// The model: a string.
public nonisolated(unsafe) let kMIDIPropertyModel: CFString = "model"
/// The unique ID, which is the same in every process: an integer.
public nonisolated(unsafe) let kMIDIPropertyUniqueID: CFString = "uniqueID"
/// The device ID in SysEx messages: an integer.
public nonisolated(unsafe) let kMIDIPropertyDeviceID: CFString = "deviceID"
/// The channels on which the object receives: an integer in which bit n stands for channel n, 0…15.
public nonisolated(unsafe) let kMIDIPropertyReceiveChannels: CFString = "receive channels"
/// The channels on which the object sends: an integer in which bit n stands for channel n, 0…15.
public nonisolated(unsafe) let kMIDIPropertyTransmitChannels: CFString = "transmit channels"
/// The speed of SysEx messages in bytes per second: an integer, 3125 by default.
public nonisolated(unsafe) let kMIDIPropertyMaxSysExSpeed: CFString = "max SysEx speed"
/// The time, in microseconds, by which a destination wants packets in advance: an integer, 0 by
/// default.
///
/// With 0, packets are delivered at their times, otherwise at once.
public nonisolated(unsafe) let kMIDIPropertyAdvanceScheduleTimeMuSec: CFString =
  "scheduleAheadMuSec"
/// An integer: 1 if the entity is inside the device, otherwise 0.
public nonisolated(unsafe) let kMIDIPropertyIsEmbeddedEntity: CFString = "embedded"
/// An integer: 1 if messages reach all other endpoints of the device, otherwise 0.
public nonisolated(unsafe) let kMIDIPropertyIsBroadcast: CFString = "broadcast"
/// The index of the entity that receives real-time messages: an integer.
public nonisolated(unsafe) let kMIDIPropertySingleRealtimeEntity: CFString =
  "single realtime entity"
/// The unique IDs of connected external devices: an integer or data.
public nonisolated(unsafe) let kMIDIPropertyConnectionUniqueID: CFString = "connUniqueID"
/// An integer: 1 if the object is currently unavailable, otherwise 0.
public nonisolated(unsafe) let kMIDIPropertyOffline: CFString = "offline"
/// An integer: 1 if the object is left out of lists, otherwise 0.
public nonisolated(unsafe) let kMIDIPropertyPrivate: CFString = "private"
/// The driver: a string, `ALSA` for devices of the kernel.
public nonisolated(unsafe) let kMIDIPropertyDriverOwner: CFString = "driver"
/// A string: the file that contains the names of the factory programs.
public nonisolated(unsafe) let kMIDIPropertyFactoryPatchNameFile: CFString = "factoryPatchFile"
/// A string: the file that contains the names of the user's programs.
public nonisolated(unsafe) let kMIDIPropertyUserPatchNameFile: CFString = "userPatchFile"
/// A dictionary: the files that contain the names of programs and notes.
public nonisolated(unsafe) let kMIDIPropertyNameConfiguration: CFString = "nameConfiguration"
/// A dictionary: the files that contain the names of programs and notes, including MIDI 2.0.
public nonisolated(unsafe) let kMIDIPropertyNameConfigurationDictionary: CFString =
  "nameConfigurationDictionary"
/// A string: the image file that shows the device.
public nonisolated(unsafe) let kMIDIPropertyImage: CFString = "image"
/// The version of the driver: an integer.
public nonisolated(unsafe) let kMIDIPropertyDriverVersion: CFString = "driverVersion"
/// An integer: 1 if the device supports General MIDI, otherwise 0.
public nonisolated(unsafe) let kMIDIPropertySupportsGeneralMIDI: CFString = "supports General MIDI"
/// An integer: 1 if the device supports MIDI Machine Control, otherwise 0.
public nonisolated(unsafe) let kMIDIPropertySupportsMMC: CFString = "supports MMC"
/// An integer: 1 if the device supports MIDI Show Control, otherwise 0.
public nonisolated(unsafe) let kMIDIPropertySupportsShowControl: CFString = "supports Show Control"
/// An integer: 1 if the device can route messages to other devices, otherwise 0.
public nonisolated(unsafe) let kMIDIPropertyCanRoute: CFString = "canRoute"
/// An integer: 1 if the object uses received MIDI clock, otherwise 0.
public nonisolated(unsafe) let kMIDIPropertyReceivesClock: CFString = "receives clock"
/// An integer: 1 if the object uses received MIDI time code, otherwise 0.
public nonisolated(unsafe) let kMIDIPropertyReceivesMTC: CFString = "receives MTC"
/// An integer: 1 if the object uses received notes, otherwise 0.
public nonisolated(unsafe) let kMIDIPropertyReceivesNotes: CFString = "receives notes"
/// An integer: 1 if the object uses received program changes, otherwise 0.
public nonisolated(unsafe) let kMIDIPropertyReceivesProgramChanges: CFString =
  "receives program changes"
/// An integer: 1 if the object uses received bank selects (CC 0), otherwise 0.
public nonisolated(unsafe) let kMIDIPropertyReceivesBankSelectMSB: CFString =
  "receives bank select MSB"
/// An integer: 1 if the object uses received bank selects (CC 32), otherwise 0.
public nonisolated(unsafe) let kMIDIPropertyReceivesBankSelectLSB: CFString =
  "receives bank select LSB"
/// An integer: 1 if the object sends MIDI clock, otherwise 0.
public nonisolated(unsafe) let kMIDIPropertyTransmitsClock: CFString = "transmits clock"
/// An integer: 1 if the object sends MIDI time code, otherwise 0.
public nonisolated(unsafe) let kMIDIPropertyTransmitsMTC: CFString = "transmits MTC"
/// An integer: 1 if the object sends notes, otherwise 0.
public nonisolated(unsafe) let kMIDIPropertyTransmitsNotes: CFString = "transmits notes"
/// An integer: 1 if the object sends program changes, otherwise 0.
public nonisolated(unsafe) let kMIDIPropertyTransmitsProgramChanges: CFString =
  "transmits program changes"
/// An integer: 1 if the object sends bank selects (CC 0), otherwise 0.
public nonisolated(unsafe) let kMIDIPropertyTransmitsBankSelectMSB: CFString =
  "transmits bank select MSB"
/// An integer: 1 if the object sends bank selects (CC 32), otherwise 0.
public nonisolated(unsafe) let kMIDIPropertyTransmitsBankSelectLSB: CFString =
  "transmits bank select LSB"
/// An integer: 1 if pan (CC 10) impairs stereo sounds of the device, otherwise 0.
public nonisolated(unsafe) let kMIDIPropertyPanDisruptsStereo: CFString = "pan disrupts stereo"
/// An integer: 1 if the device plays samples, otherwise 0.
public nonisolated(unsafe) let kMIDIPropertyIsSampler: CFString = "sampler"
/// An integer: 1 if the device is a drum machine, otherwise 0.
public nonisolated(unsafe) let kMIDIPropertyIsDrumMachine: CFString = "drum machine"
/// An integer: 1 if the device is a mixer, otherwise 0.
public nonisolated(unsafe) let kMIDIPropertyIsMixer: CFString = "mixer"
/// An integer: 1 if the device is an effect unit, otherwise 0.
public nonisolated(unsafe) let kMIDIPropertyIsEffectUnit: CFString = "effect"
/// The maximum number of channels on which the object receives: an integer, 0…16.
public nonisolated(unsafe) let kMIDIPropertyMaxReceiveChannels: CFString = "max receive channels"
/// The maximum number of channels on which the object sends: an integer, 0…16.
public nonisolated(unsafe) let kMIDIPropertyMaxTransmitChannels: CFString = "max transmit channels"
/// The program that edits the device: a string.
public nonisolated(unsafe) let kMIDIPropertyDriverDeviceEditorApp: CFString =
  "driverDeviceEditorApp"
/// The name, preceded by the name of the device: a string that cannot be set.
public nonisolated(unsafe) let kMIDIPropertyDisplayName: CFString = "displayName"
/// The MIDI protocol: an integer, always 1, which means MIDI 1.0.
public nonisolated(unsafe) let kMIDIPropertyProtocolID: CFString = "protocol"

// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
public import CoreAudioTypes

extension MIDIObjectPropertyChangeNotification {
  /// Creates a notification.
  ///
  /// - Parameters:
  ///   - messageID: `.msgPropertyChanged`.
  ///   - messageSize: The size of the struct in bytes.
  ///   - object: The object that changed.
  ///   - objectType: The kind of the object.
  ///   - propertyName: The name of the property, valid during the call.
  public init(
    messageID: MIDINotificationMessageID, messageSize: UInt32, object: MIDIObjectRef,
    objectType: MIDIObjectType, propertyName: Unmanaged<CFString>
  ) {
    unsafe self.init(
      messageID: messageID, messageSize: messageSize, object: object, objectType: objectType,
      __propertyName: propertyName.toOpaque())
  }

  /// The name of the property, valid during the call.
  public var propertyName: Unmanaged<CFString> {
    get {
      guard let name = unsafe __propertyName else {
        return unsafe Unmanaged.passUnretained(Self.noName)
      }
      return unsafe Unmanaged.fromOpaque(name)
    }
    set { unsafe __propertyName = UnsafeRawPointer(newValue.toOpaque()) }
  }

  /// The name in a notification without a name; it never changes.
  private nonisolated(unsafe) static let noName: CFString = ""
}

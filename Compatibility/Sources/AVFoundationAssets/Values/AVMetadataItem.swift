// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
public import CoreMedia
public import Foundation

/// A metadata item of an asset, such as its title.
open class AVMetadataItem: NSObject, @unchecked Sendable {
  // Unchecked: only the subclass for one thread changes what is stored.

  struct Contents {
    var key: String?
    var keySpace: AVMetadataKeySpace?
    var value: (any NSCopying & NSObjectProtocol)?
    var languageTag: String?
  }

  var contents: Contents

  /// Creates an empty item.
  override public init() {
    contents = Contents()
    super.init()
  }

  init(_ key: AVMetadataKey, _ text: String) {
    contents = Contents(
      key: key.rawValue, keySpace: .common, value: NSString(string: text), languageTag: nil)
    super.init()
  }

  /// The key of the item in its key space.
  open var key: (any NSCopying & NSObjectProtocol)? { contents.key.map { NSString(string: $0) } }

  /// The key space to which the key belongs.
  open var keySpace: AVMetadataKeySpace? { contents.keySpace }

  /// The common key of the item; nil if it does not have one.
  open var commonKey: AVMetadataKey? {
    guard contents.keySpace == .common, let key = contents.key else { return nil }
    return AVMetadataKey(rawValue: key)
  }

  /// The identifier of the item: its key space and key.
  open var identifier: AVMetadataIdentifier? {
    guard let space = contents.keySpace, let key = contents.key else { return nil }
    return AVMetadataIdentifier(rawValue: "\(space.rawValue)/\(key)")
  }

  /// The value of the item.
  open var value: (any NSCopying & NSObjectProtocol)? { contents.value }

  /// The value as a string; nil if the value is not a string.
  open var stringValue: String? {
    (contents.value as? NSString)?.description ?? (contents.value as? NSNumber)?.stringValue
  }

  /// The value as a number; nil if the value is not a number.
  open var numberValue: NSNumber? { contents.value as? NSNumber }

  /// The value as data; nil if the value is not data.
  open var dataValue: Data? { (contents.value as? NSData).map { Data(referencing: $0) } }

  /// The language of the value, as an IETF tag such as `en-GB`; nil if it is unknown.
  open var extendedLanguageTag: String? { contents.languageTag }

  /// The time of the item; always `.invalid`, since items belong to the whole asset.
  open var time: CMTime { .invalid }

  /// Returns the items that have an identifier.
  ///
  /// - Parameters:
  ///   - metadataItems: The items to filter.
  ///   - identifier: The identifier.
  /// - Returns: The matching items, in the same order.
  open class func metadataItems(
    from metadataItems: [AVMetadataItem], filteredByIdentifier identifier: AVMetadataIdentifier
  ) -> [AVMetadataItem] { metadataItems.filter { $0.identifier == identifier } }

  /// Returns the items that have a key and a key space.
  ///
  /// - Parameters:
  ///   - metadataItems: The items to filter.
  ///   - key: The key; nil for any key.
  ///   - keySpace: The key space; nil for any key space.
  /// - Returns: The matching items, in the same order.
  open class func metadataItems(
    from metadataItems: [AVMetadataItem], withKey key: Any?, keySpace: AVMetadataKeySpace?
  ) -> [AVMetadataItem] {
    let name = (key as? AVMetadataKey)?.rawValue ?? key.map { "\($0)" }
    return metadataItems.filter { item in
      (name == nil || item.contents.key == name)
        && (keySpace == nil || item.contents.keySpace == keySpace)
    }
  }
}

/// A metadata item that you create to write it into a file.
open class AVMutableMetadataItem: AVMetadataItem, @unchecked Sendable {
  // Unchecked: a program changes an item on one thread.

  /// The key in the key space.
  override open var key: (any NSCopying & NSObjectProtocol)? {
    get { super.key }
    set { contents.key = newValue.map { "\($0)" } }
  }

  /// The set of keys to which the key belongs.
  override open var keySpace: AVMetadataKeySpace? {
    get { super.keySpace }
    set { contents.keySpace = newValue }
  }

  /// The key space and the key.
  override open var identifier: AVMetadataIdentifier? {
    get { super.identifier }
    set {
      let parts = newValue?.rawValue.split(separator: "/", maxSplits: 1).map(String.init) ?? []
      contents.keySpace = parts.count == 2 ? AVMetadataKeySpace(rawValue: parts[0]) : nil
      contents.key = parts.last
    }
  }

  /// The value.
  override open var value: (any NSCopying & NSObjectProtocol)? {
    get { super.value }
    set { contents.value = newValue }
  }

  /// The language of the value.
  override open var extendedLanguageTag: String? {
    get { super.extendedLanguageTag }
    set { contents.languageTag = newValue }
  }
}

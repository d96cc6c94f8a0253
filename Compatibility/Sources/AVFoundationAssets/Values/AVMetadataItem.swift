// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
public import CoreMedia
public import Foundation

/// A text that belongs to an asset, such as its title.
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

  /// The key in the key space.
  open var key: (any NSCopying & NSObjectProtocol)? { contents.key.map { NSString(string: $0) } }

  /// The set of keys to which the key belongs.
  open var keySpace: AVMetadataKeySpace? { contents.keySpace }

  /// The key that all key spaces have; nil if it does not have one.
  open var commonKey: AVMetadataKey? {
    guard contents.keySpace == .common, let key = contents.key else { return nil }
    return AVMetadataKey(rawValue: key)
  }

  /// The key space and the key.
  open var identifier: AVMetadataIdentifier? {
    guard let space = contents.keySpace, let key = contents.key else { return nil }
    return AVMetadataIdentifier(rawValue: "\(space.rawValue)/\(key)")
  }

  /// The value.
  open var value: (any NSCopying & NSObjectProtocol)? { contents.value }

  /// The value as a text; nil if it is not one.
  open var stringValue: String? {
    (contents.value as? NSString)?.description ?? (contents.value as? NSNumber)?.stringValue
  }

  /// The value as a number; nil if it is not one.
  open var numberValue: NSNumber? { contents.value as? NSNumber }

  /// The value as bytes; nil if it is not bytes.
  open var dataValue: Data? { (contents.value as? NSData).map { Data(referencing: $0) } }

  /// The language of the value; nil if it is not stated.
  open var extendedLanguageTag: String? { contents.languageTag }

  /// The time of the value: of the whole asset.
  open var time: CMTime { .invalid }

  /// Returns the items with an identifier.
  ///
  /// - Parameters:
  ///   - metadataItems: The items.
  ///   - identifier: The identifier.
  /// - Returns: The items, in order.
  open class func metadataItems(
    from metadataItems: [AVMetadataItem], filteredByIdentifier identifier: AVMetadataIdentifier
  ) -> [AVMetadataItem] { metadataItems.filter { $0.identifier == identifier } }

  /// Returns the items with a key or a key space.
  ///
  /// - Parameters:
  ///   - metadataItems: The items.
  ///   - key: The key; nil for any.
  ///   - keySpace: The key space; nil for any.
  /// - Returns: The items, in order.
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

/// A text that a program writes into a file.
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

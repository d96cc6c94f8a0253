// SPDX-License-Identifier: Apache-2.0
public import Foundation

// Core Foundation's classes are Foundation's own: `as CFURL` and `Unmanaged<CFData>` work.
/// A string.
public typealias CFString = NSString
/// Bytes.
public typealias CFData = NSData
/// The place of a file.
public typealias CFURL = NSURL
/// A list.
public typealias CFArray = NSArray
/// A dictionary.
public typealias CFDictionary = NSDictionary
/// A number.
public typealias CFNumber = NSNumber
/// A folder with what belongs to a program.
public typealias CFBundle = Bundle
/// Any object.
public typealias CFTypeRef = AnyObject
/// A property list.
public typealias CFPropertyList = AnyObject
/// Seconds.
public typealias CFTimeInterval = Double
/// A count or index.
public typealias CFIndex = Int
/// The folder with what belongs to the program: where it lies.
public func CFBundleGetMainBundle() -> CFBundle? { Bundle.main }

/// The place of a file that belongs to a program; nil where there is none.
///
/// - Parameters:
///   - bundle: the program's folder.
///   - resourceName: the file's name.
///   - resourceType: its suffix, without the dot; nil where the name has it.
///   - subDirName: the folder in that of the program; nil for none.
/// - Returns: the place.
public func CFBundleCopyResourceURL(
  _ bundle: CFBundle?, _ resourceName: CFString?, _ resourceType: CFString?,
  _ subDirName: CFString?
) -> CFURL? {
  let path = bundle?.path(
    forResource: resourceName?.description, ofType: resourceType?.description,
    inDirectory: subDirName?.description)
  return path.map { NSURL(fileURLWithPath: $0) }
}

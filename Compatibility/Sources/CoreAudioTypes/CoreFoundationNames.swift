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
/// Any object.
public typealias CFTypeRef = AnyObject
/// A property list.
public typealias CFPropertyList = AnyObject
/// Seconds.
public typealias CFTimeInterval = Double
/// A count or index.
public typealias CFIndex = Int

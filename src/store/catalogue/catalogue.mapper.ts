import type { ProductEntity } from './product.entity.js';
import type { Product } from './catalogue.dto.js';

export function toProduct(product: ProductEntity): Product {
  return {
    id: product.id,
    name: product.name,
    description: product.description,
    price: product.price,
    stock: product.stock,
    color: product.color,
    material: product.material,
    size: product.size,
    image_url: product.imageUrl,
    created_at: product.createdAt,
  };
}
